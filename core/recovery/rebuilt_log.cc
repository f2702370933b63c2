#include "core/recovery/rebuilt_log.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/output/output_walk.h"
#include "core/output/path_uri.h"
#include "core/sinklog/compactible_log.h"
#include "core/sinklog/compaction.h"
#include "core/sinklog/entry_reader.h"
#include "core/sinklog/log_listing.h"

namespace tidegauge {
namespace {

/// FileSystem.getDefaultBlockSize of a local file system; readers only split by it.
constexpr std::int64_t kBlockSize = 32 << 20;
constexpr std::string_view kCompactSuffix = ".compact";

BatchId IdOf(const std::string& name) { return ParseLogNames({name}).newest().value_or(-1); }

using DataFiles = std::map<std::string, FileStatus>;  // by path below the sink

Result<DataFiles> FindDataFiles(Storage& storage, const std::string& sink) {
  DataFiles found;
  OutputWalk walk(sink);
  while (!walk.is_over()) {
    auto file = walk.Step(storage, [](const std::string&) { return false; });
    if (!file) return std::unexpected(file.error());
    if (*file) found.emplace(std::move((*file)->below), (*file)->status);
  }
  return found;
}

/// What the remaining files of a log list.
struct Listed {
  std::set<std::string> paths;  ///< decoded
  std::string example;          ///< one URI as written; empty: nothing is listed
};

Result<Listed> ReadRemaining(Storage& storage, const LogView& log,
                             const std::vector<std::string>& lost) {
  Listed listed;
  const BatchRange read = NeededByReader(log.newest.value_or(-1), log.log->interval);
  for (BatchId batch = read.first; log.newest && batch <= read.last; ++batch) {
    const std::string name = LogFileName(batch, log.log->interval);
    if (std::ranges::find(lost, name) != lost.end()) continue;
    auto done = ReadLogEntries(storage, fmt::format("{}/{}", log.log->path, name), 0,
                               [&](const LogEntry& entry) {
                                 listed.example = entry.path;
                                 listed.paths.insert(PathOf(entry.path));
                                 return true;
                               });
    if (!done) return std::unexpected(done.error());
  }
  return listed;
}

/// As the log itself names `sink`; it may be mounted elsewhere here than where Spark runs.
Result<std::string> RootOf(const Listed& listed, const DataFiles& files, const Site& site) {
  if (listed.example.empty()) return site.SinkUri();
  const std::string path = PathOf(listed.example);
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (!files.contains(path.substr(slash + 1))) continue;
    return fmt::format("{}{}", BeforePath(listed.example), EncodePath(path.substr(0, slash)));
  }
  return Fail(ErrorKind::kInvalid,
              fmt::format("the log lists {}, which is not in {}", listed.example, site.sink()));
}

std::string EntryOf(const std::string& uri, const FileStatus& status) {
  return fmt::format(
      "{{\"path\":\"{}\",\"size\":{},\"isDir\":false,\"modificationTime\":{},"
      "\"blockReplication\":1,\"blockSize\":{},\"action\":\"add\"}}",
      uri, status.size, status.modified.time_since_epoch().count(), kBlockSize);
}

}  // namespace

Result<std::vector<std::string>> LostLogFiles(const LogView& log) {
  std::map<BatchId, std::string> lost;
  for (const LackingFiles* files : {&log.gap, &log.restarted.lacking}) {
    if (files->count > files->names.size()) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("{} files are lost: too many to make again", files->count));
    }
    for (const std::string& name : files->names) lost.emplace(IdOf(name), name);
  }
  if (lost.empty()) return std::vector<std::string>();
  std::vector<BatchId> compacts = log.log->files.compacts;
  for (const auto& [batch, name] : lost) {
    if (name.ends_with(kCompactSuffix)) compacts.push_back(batch);
  }
  std::ranges::sort(compacts);
  compacts.erase(std::ranges::unique(compacts).begin(), compacts.end());
  const std::int64_t interval = log.restarted.interval;
  if (!compacts.empty() && DeriveInterval(log.log->configured, compacts) != interval &&
      compacts.front() >= interval) {
    const BatchId before = compacts.front() - interval;
    lost.emplace(before, LogFileName(before, interval));
  }
  std::vector<std::string> names;
  names.reserve(lost.size());
  for (auto& [batch, name] : lost) names.push_back(std::move(name));
  return names;
}

Result<RebuiltLog> RebuildLog(Storage& storage, const Site& site, const LogView& log,
                              std::optional<Time> unfinished_since) {
  const auto lost = LostLogFiles(log);
  if (!lost) return std::unexpected(lost.error());
  RebuiltLog rebuilt;
  if (lost->empty()) return rebuilt;
  const auto files = FindDataFiles(storage, site.sink());
  if (!files) return std::unexpected(files.error());
  const auto listed = ReadRemaining(storage, log, *lost);
  if (!listed) return std::unexpected(listed.error());
  const auto root = RootOf(*listed, *files, site);
  if (!root) return std::unexpected(root.error());
  rebuilt.root = *root;
  std::string entries;
  for (const auto& [below, status] : *files) {
    if (unfinished_since && status.modified >= *unfinished_since) continue;
    const std::string uri = fmt::format("{}/{}", *root, EncodePath(below));
    if (listed->paths.contains(PathOf(uri))) continue;
    entries += "\n" + EntryOf(uri, status);
    ++rebuilt.listed;
  }
  // The oldest that readers read: an older one only tells the interval.
  const BatchId reads_from =
      NeededByReader(std::max(log.newest.value_or(-1), log.next_batch - 1), log.restarted.interval)
          .first;
  const auto first = std::ranges::find_if(
      *lost, [&](const std::string& name) { return IdOf(name) >= reads_from; });
  for (auto name = lost->begin(); name != lost->end(); ++name) {
    rebuilt.files.push_back(
        {fmt::format("{}/{}", kSinkLogDirectory, *name), name == first ? "v1" + entries : "v1"});
  }
  return rebuilt;
}

}  // namespace tidegauge
