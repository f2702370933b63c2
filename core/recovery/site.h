// Where a query's files are, and how commands name them: on a local or mounted file system, or on
// HDFS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidegauge {

/// One word for a POSIX shell, whatever is in it.
std::string Quote(std::string_view word);

class Site {
 public:
  /// `hdfs_mount`: where HDFS is mounted here; commands then are `hdfs dfs`, on paths without it.
  /// Empty: commands are for the paths as they are.
  Site(std::string checkpoint, std::string sink, std::string hdfs_mount);

  bool has_sink() const { return !sink_.empty(); }
  /// As a command names it, quoted. `name` is below the checkpoint; empty: itself.
  std::string InCheckpoint(std::string_view name) const;
  std::string InSink(std::string_view name) const;

  /// Copies `paths` (as InCheckpoint and InSink give them) to $PLAN/backup.
  std::vector<std::string> BackUp(const std::vector<std::string>& paths) const;
  /// Puts $PLAN/`file` in place of `name` below the checkpoint. The local file system keeps the
  /// file's owner, and a checksum that would no longer fit: it is removed.
  std::vector<std::string> Replace(std::string_view file, std::string_view name) const;
  std::vector<std::string> Remove(std::string_view name) const;
  /// The names in `name` below the checkpoint, and below the sink.
  std::string List(const std::string& path) const;

 private:
  bool on_hdfs() const { return !hdfs_mount_.empty(); }
  std::string Path(const std::string& root, std::string_view name) const;
  static std::string ChecksumOf(std::string_view name);

  std::string checkpoint_;
  std::string sink_;
  std::string hdfs_mount_;
};

}  // namespace tidegauge
