// Which names in a file sink's output directory are data files, as Spark's readers take them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tidegauge {

/// A file sink makes no other folders than these (`day=1`); a checkpoint may lie in one.
bool IsPartitionFolder(std::string_view name);

/// InMemoryFileIndex.shouldFilterOutPathName
bool IsHidden(std::string_view name);

/// The output directory that the data file `path` of a log is in, as the log names it. Both are
/// decoded paths. `sink` is the output directory as it is named here: where its mount has another
/// name than at Spark's, the ends are the same. Without a trailing slash.
std::string OutputRootOf(std::string_view path, std::string_view sink);

/// `path` below `root`; absent: it is not.
std::optional<std::string> Below(std::string_view root, std::string_view path);

}  // namespace tidegauge
