#include "core/recovery/site.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace tidegauge {

std::string Quote(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

Site::Site(std::string checkpoint, std::string sink, std::string hdfs_mount)
    : checkpoint_(std::move(checkpoint)),
      sink_(std::move(sink)),
      hdfs_mount_(std::move(hdfs_mount)) {}

std::string Site::Path(const std::string& root, std::string_view name) const {
  std::string path = root;
  if (on_hdfs() && path.starts_with(hdfs_mount_)) path.erase(0, hdfs_mount_.size());
  if (!name.empty()) path += fmt::format("/{}", name);
  return Quote(path);
}

std::string Site::InCheckpoint(std::string_view name) const { return Path(checkpoint_, name); }
std::string Site::InSink(std::string_view name) const { return Path(sink_, name); }

std::vector<std::string> Site::BackUp(const std::vector<std::string>& paths) const {
  return {"mkdir -p \"$PLAN/backup\"",
          fmt::format("{} {} \"$PLAN/backup\"", on_hdfs() ? "hdfs dfs -get" : "cp -a",
                      fmt::join(paths, " "))};
}

std::string Site::ChecksumOf(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t file = slash == std::string_view::npos ? 0 : slash + 1;
  return fmt::format("{}.{}.crc", name.substr(0, file), name.substr(file));
}

std::vector<std::string> Site::Replace(std::string_view file, std::string_view name) const {
  const std::string from = fmt::format("\"$PLAN\"/{}", Quote(file));
  if (on_hdfs()) return {fmt::format("hdfs dfs -put -f {} {}", from, InCheckpoint(name))};
  return {fmt::format("cp {} {}", from, InCheckpoint(name)),
          fmt::format("rm -f {}", InCheckpoint(ChecksumOf(name)))};
}

std::vector<std::string> Site::Remove(std::string_view name) const {
  if (on_hdfs()) return {fmt::format("hdfs dfs -rm {}", InCheckpoint(name))};
  return {fmt::format("rm -f {} {}", InCheckpoint(name), InCheckpoint(ChecksumOf(name)))};
}

std::string Site::List(const std::string& path) const {
  return fmt::format("{} {}", on_hdfs() ? "hdfs dfs -ls" : "ls", path);
}

}  // namespace tidegauge
