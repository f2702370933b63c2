// Where a query's files are, and how commands name them: on a local or mounted file system, or on
// HDFS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidegauge {

/// One word for a POSIX shell, whatever is in it.
std::string Quote(std::string_view word);

/// The commands take paths as they are here; quoting and HDFS are theirs. `hdfs dfs` takes its
/// paths for patterns (FsShell, PathData.expandAsGlob): theirs are escaped.
class Site {
 public:
  /// `hdfs_mount`: where HDFS is mounted here; commands on paths below it are `hdfs dfs`, on the
  /// path without it. Empty: nowhere.
  Site(std::string checkpoint, std::string sink, std::string hdfs_mount);

  /// The checkpoint, the sink or both are on HDFS.
  bool is_on_hdfs() const { return IsOnHdfs(checkpoint_) || IsOnHdfs(sink_); }
  bool has_sink() const { return !sink_.empty(); }
  const std::string& sink() const { return sink_; }
  /// As Spark would name the sink in its log, if its file system is what it seems; on HDFS without
  /// the authority.
  std::string SinkUri() const;
  std::string InCheckpoint(std::string_view name) const;
  std::string InSink(std::string_view name) const;

  std::string List(const std::vector<std::string>& paths) const;
  std::string MakeDirectory(const std::string& path) const;
  /// Copies `paths`, all of one file system, to $PLAN/backup, or to `folder` in it.
  std::vector<std::string> BackUp(const std::vector<std::string>& paths,
                                  std::string_view folder = {}) const;
  /// Ends with an error if `path` is there.
  std::vector<std::string> MustNotExist(const std::string& path) const;
  /// Puts $PLAN/`file` in place of `path`. The local file system keeps an old file's owner, and a
  /// checksum that would no longer fit: it is removed. On HDFS whoever runs the command owns it.
  std::vector<std::string> Put(std::string_view file, const std::string& path) const;
  std::vector<std::string> Copy(const std::string& from, const std::string& to) const;
  /// Makes `path` a file with `text`, one line without its break.
  std::vector<std::string> Write(std::string_view text, const std::string& path) const;
  /// `paths`, all of one file system; not one command each: every `hdfs dfs` starts a JVM.
  std::vector<std::string> Remove(const std::vector<std::string>& paths) const;
  /// Gives `path`, and all that is in it, the owner of the directory that it is in. On HDFS only a
  /// superuser can, and the owner may, to whom it does nothing.
  std::string GiveToOwner(const std::string& path) const;
  /// After Put, Copy or Write: GiveToOwner on HDFS, where the file is new; none elsewhere.
  std::vector<std::string> KeepOwner(const std::string& path) const;
  /// Replaces the missing authority in the URIs of $PLAN/`files` by what the `hdfs` command has for
  /// its default: `hdfs:///out` by `hdfs://namenode:8020/out`, as Spark writes it. Commands may be
  /// given twice.
  static std::vector<std::string> NameHdfs(const std::vector<std::string>& files);

 private:
  bool IsOnHdfs(const std::string& path) const;
  /// `path` as one word of a command.
  std::string Word(const std::string& path) const;
  std::string Words(const std::vector<std::string>& paths) const;
  std::string RemoveChecksums(const std::vector<std::string>& paths) const;

  std::string checkpoint_;
  std::string sink_;
  std::string hdfs_mount_;
};

}  // namespace tidegauge
