// Which life of its topic a checkpoint's offsets were written against: the binding of (query, topic)
// to an incarnation, how it is found at first sight, how it moves, and what was lost when it moves.
//
// Offsets alone cannot tell. In order of strength:
//  1. Memory. The batch was planned in a poll-to-poll interval in which one incarnation was current, or
//     its batchTimestampMs lies inside the time in which an incarnation was seen.
//  2. Timestamps, at first sight. The first record that the topic still has lies below the position and
//     was stamped after the batch that fixed the position was planned: that batch read another topic.
//  3. Otherwise the offsets are taken to belong to the topic as it is now, and the query's baseline says
//     since when that is known.
#pragma once

#include <optional>
#include <string>

#include "core/checkpoint/snapshot.h"
#include "core/history/ledger.h"
#include "core/model.h"
#include "core/ports.h"

namespace tidegauge {

/// All that is known about one query reading one topic in one poll.
struct BindingInput {
  BindingKey key;
  std::string kafka_cluster;  ///< its name in the configuration
  std::string cluster_id;
  const Checkpoint* checkpoint = nullptr;
  const SourceTopic* position = nullptr;
  const TopicAnswer* answer = nullptr;        ///< kPresent
  const Incarnation* current = nullptr;       ///< as noted for this poll
  const TopicStamps* stamps = nullptr;        ///< null: not asked or not answered
  bool current_known_before = false;          ///< `current` was already current at the poll before
  bool checkpoint_restarted = false;          ///< the query id changed
  Time now;
  Duration clock_margin{};
};

/// Whether the timestamps of the topic are needed before `Bind`: at first sight, and when the checkpoint
/// has moved while the topic was recreated.
bool NeedsStamps(const Ledger& ledger, const BindingInput& input);

/// Finds or moves the binding of `input.key`, and returns it. When the checkpoint has moved on inside a
/// new incarnation, what it passed over is noted in `ledger.skips`.
const Binding& Bind(Ledger& ledger, const BindingInput& input);

/// Whether `binding` is to the incarnation `current` of cluster `cluster_id`.
bool BelongsTo(const Binding& binding, const std::string& cluster_id, const Incarnation& current);

/// Whether the query goes on without partition `partition`, as one that assigns partitions does: two
/// batches were written since it was first seen to lack it.
bool PassedBy(const Binding& binding, Partition partition, BatchId newest_batch);

/// Notes what the retained batch files show: offsets that fell from one batch to the next. A fall inside
/// one known life of the topic is a truncated log, and no records were passed over.
void NoteBackwardSteps(Ledger& ledger, const std::string& query, const std::string& kafka_cluster,
                       const Checkpoint& checkpoint, Time now);

}  // namespace tidegauge
