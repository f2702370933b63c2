// A walk through a file sink's output directory, the way Spark's readers go: into the folders of
// partitions, past hidden names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

struct OutputFile {
  std::string below;  ///< its path below the output directory
  FileStatus status;
};

/// Used by one thread at a time.
class OutputWalk {
 public:
  /// What need not be looked at, by its path below the output directory.
  using PassOver = std::function<bool(const std::string& below)>;

  /// `sink`: the output directory.
  explicit OutputWalk(std::string sink) : sink_(std::move(sink)) {}

  bool is_over() const { return folders_.empty() && names_.empty(); }

  /// One call to the storage, on a walk that is not over: lists a folder, or looks at one name.
  /// Returns the file that it came upon, if it did. What is gone by then is passed over, and so are
  /// folders deeper than partitions go: one may be a link to another above it.
  ///
  /// Errors: those of Storage; the next step tries again.
  Result<std::optional<OutputFile>> Step(Storage& storage, const PassOver& pass_over);

 private:
  Result<void> Open(Storage& storage, const PassOver& pass_over);
  std::string InSink(const std::string& below) const;

  std::string sink_;
  std::vector<std::string> folders_{""};  ///< to be listed
  std::vector<std::string> names_;        ///< to be looked at, of one folder
};

}  // namespace tidegauge
