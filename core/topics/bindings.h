// Which life of its topic a checkpoint's offsets were written against: the binding of (query,
// topic) to an incarnation, how it is found at first sight, and how it moves.
//
// Offsets alone cannot tell. In order of strength:
//  1. Memory, by the order of polls. The position has not moved since an earlier incarnation was
//     current; or, for a query seen for the first time, its batchTimestampMs lies inside the time
//     in which a remembered incarnation was seen.
//  2. Timestamps, at first sight. The first record that the topic still has lies below the
//     position and was stamped after the batch that fixed the position was planned: that batch
//     read another topic.
//  3. Otherwise the offsets are taken to belong to the topic as it is now, and the query's
//     baseline says since when that is known.
#pragma once

#include <string>

#include "core/history/ledger.h"
#include "core/model.h"
#include "core/topics/binding_input.h"

namespace tidegauge {

/// Whether the timestamps of the topic are needed before `Bind`: at first sight, and when the
/// checkpoint has moved while the topic was recreated.
bool NeedsStamps(const Ledger& ledger, const BindingInput& input);

/// Finds or moves the binding of `input.key`, and returns it. When the checkpoint has moved on
/// inside a new incarnation, what it passed over is noted in `ledger.skips`.
const Binding& Bind(Ledger& ledger, const BindingInput& input);

/// Whether `binding` is to the incarnation `current` of cluster `cluster_id`. What is unknown, an
/// id of a topic or of a cluster, speaks neither for nor against it.
bool BelongsTo(const Binding& binding, const std::string& cluster_id, const Incarnation& current);

/// Whether the query goes on without partition `partition`, as one that assigns partitions does:
/// two batches were written since it was first seen to lack it.
bool PassedBy(const Binding& binding, Partition partition, BatchId newest_batch);

}  // namespace tidegauge
