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

namespace {

/// FsShell: a backslash takes a character as it is.
std::string EscapeGlob(std::string_view path) {
  std::string escaped;
  for (const char c : path) {
    if (std::string_view("\\*?[]{}").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string InPlan(std::string_view file) { return fmt::format("\"${{PLAN:?}}\"/{}", Quote(file)); }

std::string DirectoryOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

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
  return Quote(IsOnHdfs(path) ? EscapeGlob(path.substr(hdfs_mount_.size())) : path);
}

std::string Site::SinkUri() const {
  return IsOnHdfs(sink_) ? fmt::format("hdfs://{}", EncodePath(sink_.substr(hdfs_mount_.size())))
                         : fmt::format("file://{}", EncodePath(sink_));
}

std::string Site::InCheckpoint(std::string_view name) const {
  return fmt::format("{}/{}", checkpoint_, name);
}

std::string Site::InSink(std::string_view name) const { return fmt::format("{}/{}", sink_, name); }

std::string Site::Words(const std::vector<std::string>& paths) const {
  std::vector<std::string> words;
  words.reserve(paths.size());
  for (const std::string& path : paths) words.push_back(Word(path));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string Site::List(const std::vector<std::string>& paths) const {
  return fmt::format("{} {}", IsOnHdfs(paths.front()) ? "hdfs dfs -ls" : "ls", Words(paths));
}

std::string Site::MakeDirectory(const std::string& path) const {
  return fmt::format("{} -p {}", IsOnHdfs(path) ? "hdfs dfs -mkdir" : "mkdir", Word(path));
}

std::vector<std::string> Site::BackUp(const std::vector<std::string>& paths,
                                      std::string_view folder) const {
  std::string to = "\"${PLAN:?}/backup\"";
  if (!folder.empty()) to += fmt::format("/{}", Quote(folder));
  const std::string make = fmt::format("mkdir -p {}", to);
  if (!IsOnHdfs(paths.front())) return {make, fmt::format("cp -a {} {}", Words(paths), to)};
  // `hdfs dfs` takes a local path for a URI: a blank in it is an error.
  return {make, fmt::format("(cd {} && hdfs dfs -get -f {} .)", to, Words(paths))};
}

std::string Site::RemoveChecksums(const std::vector<std::string>& paths) const {
  std::vector<std::string> checksums;
  checksums.reserve(paths.size());
  for (const std::string& path : paths) {
    const std::size_t file = path.rfind('/') + 1;
    checksums.push_back(fmt::format("{}.{}.crc", path.substr(0, file), path.substr(file)));
  }
  return fmt::format("rm -f {}", Words(checksums));
}

std::vector<std::string> Site::MustNotExist(const std::string& path) const {
  // In a subshell the negated status ends `bash -e` too.
  if (IsOnHdfs(path)) return {fmt::format("(! hdfs dfs -test -e {})", Word(path))};
  return {fmt::format("test ! -e {}", Word(path))};
}

std::vector<std::string> Site::Put(std::string_view file, const std::string& path) const {
  if (IsOnHdfs(path)) return {fmt::format("hdfs dfs -put -f - {} < {}", Word(path), InPlan(file))};
  return {fmt::format("cp {} {}", InPlan(file), Word(path)), RemoveChecksums({path})};
}

std::vector<std::string> Site::Copy(const std::string& from, const std::string& to) const {
  // Not -p: it sets the group too, which an owner who is not in it must not (FSDirAttrOp.setOwner).
  if (IsOnHdfs(to)) return {fmt::format("hdfs dfs -cp {} {}", Word(from), Word(to))};
  return {fmt::format("cp -p {} {}", Word(from), Word(to)), RemoveChecksums({to})};
}

std::vector<std::string> Site::Write(std::string_view text, const std::string& path) const {
  const std::string print = fmt::format("printf %s {}", Quote(text));
  if (IsOnHdfs(path)) return {fmt::format("{} | hdfs dfs -put -f - {}", print, Word(path))};
  return {fmt::format("{} > {}", print, Word(path)), RemoveChecksums({path})};
}

std::vector<std::string> Site::Remove(const std::vector<std::string>& paths) const {
  if (IsOnHdfs(paths.front())) return {fmt::format("hdfs dfs -rm -f {}", Words(paths))};
  return {fmt::format("rm -f {}", Words(paths)), RemoveChecksums(paths)};
}

std::string Site::GiveToOwner(const std::string& path) const {
  const std::string directory = Word(DirectoryOf(path));
  if (IsOnHdfs(path)) {
    return fmt::format("hdfs dfs -chown -R \"$(hdfs dfs -stat %u {})\" {}", directory, Word(path));
  }
  return fmt::format("chown -R --reference={} {}", directory, Word(path));
}

std::vector<std::string> Site::KeepOwner(const std::string& path) const {
  if (!IsOnHdfs(path)) return {};
  return {GiveToOwner(path)};
}

std::vector<std::string> Site::NameHdfs(const std::vector<std::string>& files) {
  std::vector<std::string> words;
  words.reserve(files.size());
  for (const std::string& file : files) words.push_back(InPlan(file));
  return {"HDFS=$(hdfs getconf -confKey fs.defaultFS | sed 's|/$||')",
          fmt::format("sed -i \"s|hdfs:///|${{HDFS:?}}/|\" {}", fmt::join(words, " "))};
}

}  // namespace tidegauge
