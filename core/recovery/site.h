// Where a query's files are, and how commands name them: on a local or mounted file system, or on
// HDFS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidegauge {

/// One word for a POSIX shell, whatever is in it.
std::string Quote(std::string_view word);

/// The commands take paths as they are here; quoting and HDFS are theirs.
class Site {
 public:
  /// `hdfs_mount`: where HDFS is mounted here; commands on paths below it are `hdfs dfs`, on the
  /// path without it. Empty: nowhere.
  Site(std::string checkpoint, std::string sink, std::string hdfs_mount);

  bool has_sink() const { return !sink_.empty(); }
  const std::string& sink() const { return sink_; }
  /// As Spark would name the sink in its log, if its file system is what it seems.
  std::string SinkUri() const;
  std::string InCheckpoint(std::string_view name) const;
  std::string InSink(std::string_view name) const;

  std::string List(const std::string& path) const;
  std::string MakeDirectory(const std::string& path) const;
  /// Copies `paths` to $PLAN/backup, or to `folder` in it.
  std::vector<std::string> BackUp(const std::vector<std::string>& paths,
                                  std::string_view folder = {}) const;
  /// Makes $PLAN/`to` of the file at `path`, which goes through `filter`.
  std::string Filter(const std::string& path, std::string_view filter, std::string_view to) const;
  /// Ends with an error if `path` is there; none on HDFS.
  std::vector<std::string> MustNotExist(const std::string& path) const;
  /// Puts $PLAN/`file` in place of `path`. The local file system keeps an old file's owner, and a
  /// checksum that would no longer fit: it is removed.
  std::vector<std::string> Put(std::string_view file, const std::string& path) const;
  std::vector<std::string> Copy(const std::string& from, const std::string& to) const;
  /// Makes `path` a file with `text`, one line without its break.
  std::vector<std::string> Write(std::string_view text, const std::string& path) const;
  std::vector<std::string> Remove(const std::string& path) const;
  /// Gives everything in `directory` the owner of `directory`'s parent; none on HDFS, where it
  /// takes a superuser.
  std::vector<std::string> GiveToOwner(const std::string& directory) const;

 private:
  bool IsOnHdfs(const std::string& path) const;
  /// `path` as one word of a command.
  std::string Word(const std::string& path) const;
  std::string RemoveChecksum(const std::string& path) const;

  std::string checkpoint_;
  std::string sink_;
  std::string hdfs_mount_;
};

}  // namespace tidegauge
