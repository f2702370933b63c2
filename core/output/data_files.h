// What a scan found of a file sink's data files, held against the sink's log.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/model.h"
#include "core/sinklog/log_view.h"

namespace tidegauge {

/// One whole scan. Names are below the output directory, the first kMostNamed of each.
struct DataFiles {
  Time ended_at;
  std::string root;  ///< the output directory, as the log names it now; empty: it lists nothing
  std::uint64_t listed = 0;        ///< files that the log lists
  std::uint64_t listed_bytes = 0;  ///< as the log has them
  LackingFiles missing;            ///< listed, and not there
  LackingFiles truncated;          ///< listed, and of another size
  std::string truncated_example;   ///< the first of those: "part-… has 3 bytes of 10"
  LackingFiles outside;            ///< listed with a path outside `root`: whole paths
  /// There, and not listed, though no batch can still be about to list them.
  LackingFiles orphans;
  std::uint64_t orphan_bytes = 0;
  bool orphans_are_newest = false;  ///< one of them is younger than every listed file
};

/// The scan of one query's data files, at one moment.
struct DataFileScanView {
  /// The last whole scan of this process; null: none has ended.
  std::shared_ptr<const DataFiles> last;
  double progress = 0;  ///< 0 to 1, of the scan that runs; 1: none runs
  std::string error;    ///< why it cannot go on at present; empty: it can
};

}  // namespace tidegauge
