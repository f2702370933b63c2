// Lost files of a sink's log, made again from the data files that no remaining file lists. Readers
// get their rows back, which stand-in files without entries do not give them.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/plan.h"
#include "core/ports.h"
#include "core/recovery/site.h"
#include "core/result.h"
#include "core/sinklog/log_view.h"

namespace tidegauge {

/// The names of the files that the log must have and lacks, or cannot be read, by id: what readers
/// need now, what the next compaction needs, and the compact file before the oldest of them where
/// Spark would otherwise derive another interval (a lone 19.compact gives 20).
///
/// kInvalid: more than a view names.
Result<std::vector<std::string>> LostLogFiles(const LogView& log);

struct RebuiltLog {
  std::vector<PlanFile> files;  ///< `_spark_metadata/<name>` each
  std::size_t listed = 0;       ///< data files that are listed again
  std::string root;             ///< the sink, as the entries name it
};

/// The first of the lost files lists every data file in the sink that no remaining file of the log
/// lists; the others list none. Which batch wrote a data file cannot be told from it, and readers
/// do not ask. Paths are written as the remaining files have them; where none is left, as
/// Site::SinkUri. Left out: hidden files, folders that are no partitions (`day=1`), and what was
/// modified at or after `unfinished_since`, the moment when a batch that is not committed was
/// planned.
///
/// Errors: those of Storage, ReadLogEntries and LostLogFiles; kInvalid when the log lists the files
/// of another directory than the sink.
Result<RebuiltLog> RebuildLog(Storage& storage, const Site& site, const LogView& log,
                              std::optional<Time> unfinished_since);

}  // namespace tidegauge
