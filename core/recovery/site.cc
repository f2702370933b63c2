#include "core/recovery/site.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/output/path_uri.h"

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
      hdfs_mount_(std::move(hdfs_mount)) {
  while (hdfs_mount_.ends_with('/')) hdfs_mount_.pop_back();
}

bool Site::IsOnHdfs(const std::string& path) const {
  return !hdfs_mount_.empty() && path.starts_with(hdfs_mount_ + "/");
}

std::string Site::Word(const std::string& path) const {
  return Quote(IsOnHdfs(path) ? path.substr(hdfs_mount_.size()) : path);
}

std::string Site::SinkUri() const {
  return IsOnHdfs(sink_) ? fmt::format("hdfs://{}", EncodePath(sink_.substr(hdfs_mount_.size())))
                         : fmt::format("file://{}", EncodePath(sink_));
}

std::string Site::InCheckpoint(std::string_view name) const {
  return fmt::format("{}/{}", checkpoint_, name);
}

std::string Site::InSink(std::string_view name) const { return fmt::format("{}/{}", sink_, name); }

std::string Site::List(const std::string& path) const {
  return fmt::format("{} {}", IsOnHdfs(path) ? "hdfs dfs -ls" : "ls", Word(path));
}

std::string Site::MakeDirectory(const std::string& path) const {
  return fmt::format("{} -p {}", IsOnHdfs(path) ? "hdfs dfs -mkdir" : "mkdir", Word(path));
}

std::vector<std::string> Site::BackUp(const std::vector<std::string>& paths,
                                      std::string_view folder) const {
  std::vector<std::string> words;
  words.reserve(paths.size());
  for (const std::string& path : paths) words.push_back(Word(path));
  std::string to = "\"${PLAN:?}/backup\"";
  if (!folder.empty()) to += fmt::format("/{}", Quote(folder));
  return {fmt::format("mkdir -p {}", to),
          fmt::format("{} {} {}", IsOnHdfs(paths.front()) ? "hdfs dfs -get" : "cp -a",
                      fmt::join(words, " "), to)};
}

std::string Site::Filter(const std::string& path, std::string_view filter,
                         std::string_view to) const {
  const std::string target = fmt::format("\"${{PLAN:?}}\"/{}", Quote(to));
  if (IsOnHdfs(path)) return fmt::format("hdfs dfs -cat {} | {} > {}", Word(path), filter, target);
  return fmt::format("cat {} | {} > {}", Word(path), filter, target);
}

std::string Site::RemoveChecksum(const std::string& path) const {
  const std::size_t file = path.rfind('/') + 1;
  return fmt::format("rm -f {}",
                     Word(fmt::format("{}.{}.crc", path.substr(0, file), path.substr(file))));
}

std::vector<std::string> Site::MustNotExist(const std::string& path) const {
  if (IsOnHdfs(path)) return {};
  return {fmt::format("test ! -e {}", Word(path))};
}

std::vector<std::string> Site::Put(std::string_view file, const std::string& path) const {
  const std::string from = fmt::format("\"${{PLAN:?}}\"/{}", Quote(file));
  if (IsOnHdfs(path)) return {fmt::format("hdfs dfs -put -f {} {}", from, Word(path))};
  return {fmt::format("cp {} {}", from, Word(path)), RemoveChecksum(path)};
}

std::vector<std::string> Site::Copy(const std::string& from, const std::string& to) const {
  if (IsOnHdfs(to)) return {fmt::format("hdfs dfs -cp -p {} {}", Word(from), Word(to))};
  return {fmt::format("cp -p {} {}", Word(from), Word(to)), RemoveChecksum(to)};
}

std::vector<std::string> Site::Write(std::string_view text, const std::string& path) const {
  const std::string print = fmt::format("printf %s {}", Quote(text));
  if (IsOnHdfs(path)) return {fmt::format("{} | hdfs dfs -put -f - {}", print, Word(path))};
  return {fmt::format("{} > {}", print, Word(path)), RemoveChecksum(path)};
}

std::vector<std::string> Site::Remove(const std::string& path) const {
  if (IsOnHdfs(path)) return {fmt::format("hdfs dfs -rm {}", Word(path))};
  return {fmt::format("rm -f {}", Word(path)), RemoveChecksum(path)};
}

std::vector<std::string> Site::GiveToOwner(const std::string& directory) const {
  if (IsOnHdfs(directory)) return {};
  return {fmt::format("chown -R --reference={} {}", Word(directory.substr(0, directory.rfind('/'))),
                      Word(directory))};
}

}  // namespace tidegauge
