#include "config/discovery.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "config/path_pattern.h"
#include "config/utf8.h"

namespace tidegauge {
namespace {

// Labels, JSON and log lines must be able to hold it.
bool CanBeShown(const std::string& name) {
  return !FirstInvalidUtf8(name) &&
         std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

// A directory of broken entries must not fill the report with the same sentence.
constexpr std::size_t kMaxProblems = 20;

void AddProblem(std::vector<std::string>& problems, std::string problem) {
  if (problems.size() < kMaxProblems) problems.push_back(std::move(problem));
  if (problems.size() == kMaxProblems)
    problems.emplace_back("more of the same kind are not listed");
}

// One query of `entry`; the captures are filled in.
Target TargetOf(const QueryConfig& entry, std::string name, std::string checkpoint,
                std::string sink) {
  return {.query = std::move(name),
          .checkpoint = std::move(checkpoint),
          .kafka_cluster = entry.kafka,
          .sink = entry.sink_log ? std::move(sink) : "",
          .compact_interval = entry.compact_interval,
          .source_compact_interval = entry.source_compact_interval,
          .scan_data_files = entry.scan_data_files};
}

// The loader has seen to it that the patterns parse.
Target Fill(const QueryConfig& entry, const std::string& checkpoint, const Captures& captures) {
  return TargetOf(entry, Pattern::Parse(entry.name).value().Fill(captures), checkpoint,
                  entry.sink.empty() ? "" : PathPattern::Parse(entry.sink).value().Fill(captures));
}

// Walks down the tree along one pattern.
class Walk {
 public:
  Walk(const QueryConfig& entry, const PathPattern& checkpoint, Storage& storage,
       const Shard& shard)
      : entry_(entry), checkpoint_(checkpoint), storage_(storage), shard_(shard) {}

  Discovery Run() && {
    Descend("", 0, {});
    if (result_.queries.empty() && result_.complete && !others_) {
      Problem(fmt::format("{} matched nothing", entry_.checkpoint));
    }
    return std::move(result_);
  }

 private:
  // `directory` is what the first `depth` components of the pattern have become.
  void Descend(std::string directory, std::size_t depth, const Captures& captures) {
    const auto& components = checkpoint_.components();
    const std::size_t begin = depth;
    while (depth < components.size() && components[depth].IsLiteral()) {
      directory += "/" + components[depth++].Fill({});
    }
    if (depth == components.size()) {
      Consider(Fill(entry_, directory, captures));
      return;
    }
    // Where the walk begins, a missing directory is worth saying; below, it is no match.
    if (begin > 0 && !IsDirectory(directory)) return;
    auto names = storage_.List(directory.empty() ? "/" : directory);
    if (!names) {
      if (begin == 0 || names.error().kind != ErrorKind::kNotFound) Fail(names.error());
      return;
    }
    DescendInto(directory, *std::move(names), depth, captures);
  }

  void DescendInto(const std::string& directory, std::vector<std::string> names, std::size_t depth,
                   const Captures& captures) {
    std::ranges::sort(names);
    for (const std::string& name : names) {
      if (full_) return;
      Captures extended = captures;
      if (!checkpoint_.components()[depth].Match(name, extended)) continue;
      if (CanBeShown(name)) {
        Descend(fmt::format("{}/{}", directory, name), depth + 1, extended);
      } else {
        Problem(fmt::format("a name in {} is not printable UTF-8: left out", directory));
      }
    }
  }

  void Consider(Target query) {
    if (!shard_.Owns(query.query)) {
      others_ = true;
    } else if (MayBeDirectory(query.checkpoint)) {
      Add(std::move(query));
    }
  }

  // A query that may be there is shown as one that cannot be read, not left out.
  bool MayBeDirectory(const std::string& path) {
    const auto status = storage_.Stat(path);
    if (!status && status.error().kind == ErrorKind::kUnavailable) return true;
    return IsDirectory(status);
  }

  bool IsDirectory(const std::string& path) { return IsDirectory(storage_.Stat(path)); }

  bool IsDirectory(const Result<FileStatus>& status) {
    if (status) return status->kind == EntryKind::kDirectory;
    // Not there is no match; anything else hides whether it is one.
    if (status.error().kind != ErrorKind::kNotFound) Fail(status.error());
    return false;
  }

  void Fail(const Error& error) {
    result_.complete = false;
    Problem(error.message);
  }

  void Add(Target query) {
    if (result_.queries.size() == kMaxMatches) {
      full_ = true;
      result_.complete = false;
      Problem(fmt::format("{} matches more than {} directories: the rest is left out",
                          entry_.checkpoint, kMaxMatches));
      return;
    }
    result_.queries.push_back(std::move(query));
  }

  void Problem(const std::string& message) {
    AddProblem(result_.problems, fmt::format("queries entry '{}': {}", entry_.name, message));
  }

  const QueryConfig& entry_;
  const PathPattern& checkpoint_;
  Storage& storage_;
  const Shard& shard_;
  Discovery result_;
  bool full_ = false;
  bool others_ = false;  // another shard sees to it whether anything matches
};

template <typename T>
void Append(std::vector<T>& to, std::vector<T>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Discovery DiscoverEntry(const QueryConfig& entry, Storage& storage, const Shard& shard) {
  const PathPattern checkpoint = PathPattern::Parse(entry.checkpoint).value();
  if (!checkpoint.IsLiteral()) return Walk(entry, checkpoint, storage, shard).Run();
  if (!shard.Owns(entry.name)) return {};
  return {.queries = {TargetOf(entry, entry.name, entry.checkpoint, entry.sink)}};
}

std::optional<Target> QueryAt(const QueryConfig& entry, const std::string& directory) {
  const auto captures = PathPattern::Parse(entry.checkpoint).value().Match(directory);
  return captures ? std::optional(Fill(entry, directory, *captures)) : std::nullopt;
}

Discovery Merge(std::vector<Discovery> entries) {
  Discovery all;
  std::vector<std::string> twice;
  std::map<std::string, std::string> checkpoints;  // by query
  for (Discovery& entry : entries) {
    all.complete = all.complete && entry.complete;
    Append(all.problems, std::move(entry.problems));
    for (Target& query : entry.queries) {
      const auto [first, inserted] = checkpoints.emplace(query.query, query.checkpoint);
      if (inserted) {
        all.queries.push_back(std::move(query));
      } else if (first->second != query.checkpoint) {
        AddProblem(twice,
                   fmt::format("two checkpoints for the query '{}': {} is watched, {} is not",
                               query.query, first->second, query.checkpoint));
      }
    }
  }
  Append(all.problems, std::move(twice));
  return all;
}

Discovery Discover(const std::vector<QueryConfig>& entries, Storage& storage) {
  std::vector<Discovery> found;
  found.reserve(entries.size());
  for (const QueryConfig& entry : entries) found.push_back(DiscoverEntry(entry, storage));
  return Merge(std::move(found));
}

}  // namespace tidegauge
