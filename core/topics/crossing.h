// Where a checkpoint entered a new incarnation of its topic, and the records it passed over there.
#pragma once

#include <optional>
#include <string>

#include "core/history/ledger.h"
#include "core/model.h"
#include "core/ports.h"
#include "core/topics/binding_input.h"

namespace tidegauge {

/// The batch that first read the new incarnation, and what is known of it.
struct Crossing {
  BatchId batch = 0;
  PartitionOffsets start;  ///< where it began: offsets of the earlier incarnation
  PartitionOffsets end;    ///< where it ended; an absent partition did not end below its start
  Bound bound = Bound::kExact;
  Confidence confidence = Confidence::kCertain;
};

/// Where, among the batches since `binding`, which is to an earlier incarnation, the checkpoint
/// entered the current one; none: all of them still read the earlier one.
std::optional<Crossing> FindCrossing(const Binding& binding, const BindingInput& input);

/// Notes in `ledger.skips` the records below `crossing`, if there are any.
void NoteCrossing(Ledger& ledger, const BindingInput& input, const Crossing& crossing);

/// Notes what the retained batch files of a query show that was not bound before this poll: offsets
/// that fell from one batch to the next. (After first sight Bind judges each new batch with what it
/// remembers.) `answer` is what the query's cluster answered, or null.
void NoteBackwardSteps(Ledger& ledger, const std::string& query, const std::string& kafka_cluster,
                       const Checkpoint& checkpoint, const ClusterAnswer* answer, Time now);

/// Whether `checkpoint` shows, in batches after `bound`, that offsets of a topic fell.
const BatchStep* FindFall(const Checkpoint& checkpoint, const std::string& topic,
                          const std::string& source, BatchId after, BatchId until);

}  // namespace tidegauge
