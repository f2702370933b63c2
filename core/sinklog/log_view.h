// A compactible log held against its checkpoint: what is missing, and which compaction will fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/model.h"
#include "core/sinklog/compactible_log.h"
#include "core/sinklog/query_logs.h"

namespace tidegauge {

/// Files of a log that something needs and will not find.
struct LackingFiles {
  std::vector<std::string> names;  ///< by id; the first kMostNamed
  std::size_t count = 0;

  bool empty() const { return count == 0; }
};
inline constexpr std::size_t kMostNamed = 100;

/// The next compaction, under one interval.
struct NextCompactionView {
  std::int64_t interval = 0;
  BatchId batch = 0;
  LackingFiles lacking;           ///< absent, or there but unreadable
  std::size_t absent = 0;         ///< how many of those are absent
  std::int64_t batches_left = 0;  ///< until it is reached: 1, the next batch is the one
  std::optional<Time> expected_at;
};

/// By how many bytes a compact file is larger than the one `interval` batches before it; negative
/// where retention takes out more than is added.
struct CompactGrowth {
  std::int64_t bytes = 0;
  std::int64_t interval = 0;

  friend bool operator==(const CompactGrowth&, const CompactGrowth&) = default;
};

struct LogView {
  std::string name;   ///< `sink`, or `source K`
  LogPtr log;         ///< null: it could not be read
  std::string error;  ///< why

  // What follows has a meaning only for a log that was read.
  std::optional<BatchId> newest;
  BatchId next_batch = 0;            ///< that the query will run (for a source: the log's next id)
  std::optional<BatchId> committed;  ///< sink: the newest batch that must have a file
  /// sink: batches that the query has not planned yet, but that have a file: it will drop them.
  bool ahead = false;
  NextCompactionView restarted;  ///< by a driver that starts now
  /// By one that has run since before, where its interval is another, as the names of the files
  /// say.
  std::optional<NextCompactionView> running;
  LackingFiles gap;  ///< absent files that a reader needs now; none in a log without files
  /// Absent: unknown. ViewLogs leaves it to NoteLogs, which remembers.
  std::optional<CompactGrowth> growth;

  bool is_sink() const { return name == "sink"; }
  /// Absent files that a reader, or the next compaction, needs.
  std::size_t Missing() const;
  /// Its compaction that will fail first, if any will.
  const NextCompactionView* failing() const;
};

/// The name of the one view, an unreadable one, that stands for sources that could not be listed.
inline constexpr std::string_view kUnlistedSources = "sources";

/// The views of a query's logs, the sink's first.
std::vector<LogView> ViewLogs(const QueryLogs& logs, const Checkpoint& checkpoint, Time now);

/// The batch that the query runs next, after a restart too: the newest one planned until it is
/// committed.
BatchId NextBatch(const Checkpoint& checkpoint);

/// The interval that the driver which wrote `files` has, when they speak for another one than a
/// restart would derive.
std::optional<std::int64_t> OtherIntervalOf(const LogListing& files, std::int64_t configured);

}  // namespace tidegauge
