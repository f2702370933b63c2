// What the remedies of data files rest on.
#pragma once

#include <string>
#include <vector>

#include "core/model.h"
#include "core/output/data_files.h"
#include "core/ports.h"
#include "core/sinklog/log_view.h"

namespace tidegauge {

/// Where the log lists the data files that are missing or truncated, and those outside the output
/// directory. Names of log files are in the order in which a reader reads them.
struct DataFileInput {
  std::string directory;           ///< of the log
  std::vector<std::string> wrong;  ///< log files that list what is missing or truncated
  std::string entries;  ///< a line for each of those data files, which its entry contains
  std::vector<std::string> outside;  ///< log files that list what is outside
  std::string new_paths;             ///< a script for sed that makes old paths new ones
  std::string problem;               ///< why something of this is lacking
};

/// The files of the plan that hold DataFileInput::entries and new_paths.
inline constexpr std::string_view kEntriesToTakeOut = "entries_to_take_out";
inline constexpr std::string_view kNewPaths = "new_paths.sed";

/// Reads the log for the data files that `files` names.
DataFileInput ReadDataFileInput(Storage& storage, const LogView& log, const DataFiles& files);

}  // namespace tidegauge
