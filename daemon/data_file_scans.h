// The scans of data files, beside the poll: none of them keeps it waiting for long.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "core/model.h"
#include "core/output/data_file_scan.h"
#include "core/world.h"
#include "daemon/deadline_pool.h"

namespace tidegauge {

/// Used by one thread.
class DataFileScans {
 public:
  struct Options {
    ScanLimits limits;
    bool at_once = false;  ///< one step looks at everything: `check` and `plan` poll once
    Duration read_timeout = std::chrono::seconds(10);
    std::size_t threads = 8;

    friend bool operator==(const Options&, const Options&) = default;
  };

  explicit DataFileScans(const Options& options);
  const Options& options() const { return options_; }

  /// Goes one step on with the scan of each query that has one, and puts into `readings` what is
  /// known by now. A step that takes longer goes on by itself, and counts in a later poll.
  void Step(std::vector<Reading>& readings, Time now);

 private:
  struct Scan {
    std::shared_ptr<DataFileScan> files;
    DataFileScanView view;
  };
  /// A scan and what its step will have seen, once it has ended.
  struct Stepping {
    Scan* scan = nullptr;
    std::shared_ptr<DataFileScanView> view;
  };

  /// Begins one for each query that has none, and drops those of all others.
  void KeepScansOf(const std::vector<Reading>& readings);
  void StepScansOf(const std::vector<Reading>& readings, Time now);
  DeadlinePool::Job JobOf(const Stepping& step, const Reading& reading, Time now) const;
  void Take(const DeadlinePool::Answer& answer, const Stepping& step, Time now) const;

  const Options options_;
  DeadlinePool pool_;
  std::map<Target, Scan> scans_;
};

}  // namespace tidegauge
