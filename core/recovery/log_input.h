// What the remedies of a damaged log rest on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/ports.h"
#include "core/recovery/rebuilt_log.h"
#include "core/recovery/site.h"
#include "core/sinklog/log_view.h"

namespace tidegauge {

/// One compactible log of the query, as far as its remedies need it.
struct LogInput {
  std::string name;       ///< `sink`, or `source K`
  std::string directory;  ///< of the log
  bool exists = false;
  bool has_compacts = false;
  std::optional<BatchId> newest;  ///< the highest id in it
  std::vector<std::string> lost;  ///< LostLogFiles
  /// An interval by which nothing is lost: every file is there, the lost ones under the other name.
  std::optional<std::int64_t> fitting_interval;
  std::optional<RebuiltLog> rebuilt;  ///< absent: there is none, or it cannot be made
  /// The log's files after the checkpoint's newest batch; empty: none, or the log would not be
  /// whole without them.
  std::vector<std::string> beyond;
  std::string problem;  ///< why something of this is lacking
};

/// Reads what there is to know of one log, the sink's or a source's. `planned` is the newest batch
/// in offsets/; `unfinished_since`: see RebuildLog.
LogInput ReadLogInput(Storage& storage, const Site& site, const LogView& log,
                      std::optional<BatchId> planned, std::optional<Time> unfinished_since);

}  // namespace tidegauge
