#include "core/recovery/data_file_input.h"

#include <functional>
#include <set>

#include <fmt/core.h>

#include "core/output/data_file_names.h"
#include "core/output/path_uri.h"
#include "core/sinklog/compaction.h"
#include "core/sinklog/entry_reader.h"

namespace tidegauge {
namespace {

std::string Escape(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != special.npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Of the log's files one after the other.
class LogSearch {
 public:
  LogSearch(DataFileInput& input, const DataFiles& files) : input_(input), files_(files) {
    for (const LackingFiles* some : {&files.missing, &files.truncated}) {
      for (const std::string& below : some->names) {
        std::string path = fmt::format("{}/{}", files.root, below);
        input_.entries += EncodePath(path) + "\"\n";
        wrong_.insert(std::move(path));
      }
    }
  }

  bool has_aim() const { return !wrong_.empty() || !files_.outside.empty(); }

  Result<void> Search(Storage& storage, const std::string& name) {
    bool lists_wrong = false;
    bool lists_outside = false;
    const auto done = ReadLogEntries(
        storage, fmt::format("{}/{}", input_.directory, name), 0, [&](const LogEntry& entry) {
          const std::string path = PathOf(entry.path);
          before_ = BeforePath(entry.path);
          lists_wrong = lists_wrong || wrong_.contains(path);
          if (Below(files_.root, path)) return true;
          lists_outside = true;
          old_roots_.insert(before_ + EncodePath(OutputRootOf(path, "")));
          return true;
        });
    if (!done) return std::unexpected(done.error());
    if (lists_wrong) input_.wrong.push_back(name);
    if (lists_outside) input_.outside.push_back(name);
    return {};
  }

  void WriteScript() {
    const std::string to = before_ + EncodePath(files_.root);  // as the newest entry has it
    for (const std::string& root : old_roots_) {
      input_.new_paths += fmt::format("s#\"path\":\"{}/#\"path\":\"{}/#\n",
                                      Escape(root, "\\.*[]^$#"), Escape(to, "\\&#"));
    }
  }

 private:
  DataFileInput& input_;
  const DataFiles& files_;
  std::set<std::string, std::less<>> wrong_;
  std::set<std::string> old_roots_;  ///< as written
  std::string before_;               ///< scheme and authority of the last entry
};

}  // namespace

DataFileInput ReadDataFileInput(Storage& storage, const LogView& log, const DataFiles& files) {
  DataFileInput input;
  LogSearch search(input, files);
  if (!search.has_aim() || log.log == nullptr || !log.newest) return input;
  input.directory = log.log->path;
  const BatchRange read = NeededByReader(*log.newest, log.log->interval);
  for (BatchId batch = read.first; batch <= read.last; ++batch) {
    const auto done = search.Search(storage, LogFileName(batch, log.log->interval));
    if (!done) return {.problem = done.error().message};
  }
  search.WriteScript();
  return input;
}

}  // namespace tidegauge
