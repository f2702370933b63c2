// The compactible logs of one query: its file sink's, and one for each of its file sources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"
#include "core/sinklog/compactible_log.h"

namespace tidegauge {

struct SourceLog {
  std::string source;  ///< the K of sources/K
  Result<LogPtr> log;  ///< of any directory there; see IsFileSourceLog
};

/// Copies share what was read.
struct QueryLogs {
  std::optional<Result<LogPtr>> sink;  ///< absent: this query's sink log is not watched
  std::vector<SourceLog> sources;      ///< empty when the query reads nothing but Kafka
  std::string sources_error;           ///< why the sources could not be listed
  /// The newest batch in offsets/ once the sink log was read, where that log seemed to be ahead of
  /// the checkpoint: the query may have gone on meanwhile.
  std::optional<BatchId> planned_after;
};

/// The intervals that Spark's configuration sets; 0: it sets none.
struct CompactIntervals {
  std::int64_t sink = 0;    ///< spark.sql.streaming.fileSink.log.compactInterval
  std::int64_t source = 0;  ///< spark.sql.streaming.fileSource.log.compactInterval
};

/// Whether `log` is a file source's. Kafka's sources/K holds one file of another shape.
bool IsFileSourceLog(const CompactibleLog& log);

/// Reads the logs of a query whose checkpoint was read just before: in this order a batch that ends
/// meanwhile never looks lost. `sink` is the output directory, or empty. `previous` is what the
/// last poll read.
QueryLogs ReadLogs(Storage& storage, const Checkpoint& checkpoint, const std::string& sink,
                   const CompactIntervals& settings, const QueryLogs& previous, Time now);

}  // namespace tidegauge
