// What changed from one batch to the next that batches of a healthy query never do.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/checkpoint/offset_log.h"
#include "core/checkpoint/snapshot.h"

namespace tidegauge {

/// The steps from `before` to `after` (batch `batch`). Sources are matched by id; when the number
/// of lines of version 1 changed there is nothing to match. `separately_read` as in
/// source_topics.h. `earlier` is the batch before `before`, or null when it is not known: it tells
/// the offline repartition of Spark 4.2, which goes back on purpose
/// (OfflineStateRepartitionRunner).
std::vector<BatchStep> StepsBetween(const OffsetLogEntry* earlier, const OffsetLogEntry& before,
                                    const OffsetLogEntry& after, BatchId batch,
                                    const std::set<std::string>& separately_read);

}  // namespace tidegauge
