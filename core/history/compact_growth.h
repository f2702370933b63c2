// How a log's compact files grow. Spark deletes the older ones, so that a few sizes are remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/history/ledger.h"
#include "core/sinklog/compactible_log.h"
#include "core/sinklog/log_view.h"

namespace tidegauge {

/// Adds the compact files of `log` to `sizes`, which keep the newest kCompactSizes. Files that are
/// not what was remembered, or older than it, are those of another log: its sizes begin afresh.
void NoteCompactSizes(CompactSizes& sizes, const CompactibleLog& log);

/// On average over `sizes`; absent: fewer than two are known, or a file between two is lost.
std::optional<CompactGrowth> GrowthOf(const CompactSizes& sizes, const CompactibleLog& log);

struct ForetoldSize {
  BatchId batch = 0;
  std::optional<Time> at;  ///< about; absent where the rhythm is unknown, and for sources
};

/// The first compaction that makes a file of `bytes`, more than the newest one has, if the files of
/// `log` grow on as they do. Absent: they do not grow, or it is too far ahead to be foretold.
std::optional<ForetoldSize> WhenReached(std::int64_t bytes, const LogView& log,
                                        const Checkpoint& checkpoint, Time now);

/// Remembers the compact files of the logs of `query`, and notes their growth in `logs`.
void NoteLogs(Ledger& ledger, const std::string& query, std::vector<LogView>& logs);

}  // namespace tidegauge
