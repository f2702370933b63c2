#include "config/check_queries.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "config/entry.h"
#include "config/nearest.h"
#include "config/path_pattern.h"

namespace tidegauge {
namespace {

// Checks one entry; what it finds goes to `mistakes`.
class QueryCheck {
 public:
  QueryCheck(QueryConfig& query, const Entry& entry, Mistakes& mistakes)
      : query_(query), entry_(entry), mistakes_(mistakes) {}

  void CheckPaths() {
    const auto checkpoint = ReadPath("checkpoint", query_.checkpoint);
    const auto sink = ReadPath("sink", query_.sink);
    if (sink && sink->HasAny())
      Add("sink", "'sink' cannot hold '*': use a capture of 'checkpoint'");
    CheckScan();
    if (!checkpoint) return;
    CheckName(*checkpoint);
    if (sink) CheckCaptures("sink", sink->CaptureNames(), *checkpoint);
  }

  void CheckInterval() {
    if (query_.compact_interval == 0 || entry_.Has("sink")) return;
    Add("compact_interval",
        "'compact_interval' is of the log of 'sink', which is missing; for file sources there is "
        "'source_compact_interval'");
  }

  void CheckCluster(const std::vector<std::string>& clusters) {
    if (clusters.empty()) return;
    if (!entry_.Has("kafka")) {
      if (clusters.size() == 1) {
        query_.kafka = clusters.front();
      } else {
        Add("kafka",
            "'kafka' is missing: there is more than one cluster" + Suggestion("", clusters));
      }
    } else if (std::ranges::find(clusters, query_.kafka) == clusters.end()) {
      Add("kafka",
          fmt::format("unknown cluster '{}'{}", query_.kafka, Suggestion(query_.kafka, clusters)));
    }
  }

  void Add(std::string_view field, std::string message) {
    mistakes_.push_back(entry_.At(field, std::move(message)));
  }

 private:
  void CheckScan() {
    if (query_.scan_data_files && query_.sink.empty()) {
      Add("scan_data_files", "'scan_data_files' needs 'sink', the directory to look through");
    }
    if (query_.scan_data_files && !query_.sink_log) {
      Add("scan_data_files", "'scan_data_files' has no log to go by where 'sink_log' is false");
    }
  }

  // Normalises `path` in place. Absent: not set, or wrong and reported.
  std::optional<PathPattern> ReadPath(std::string_view field, std::string& path) {
    if (path.empty()) return std::nullopt;
    auto local = LocalPath(path);
    if (!local) {
      Add(field, fmt::format("'{}': {}", field, local.error().message));
      return std::nullopt;
    }
    path = *std::move(local);
    auto pattern = PathPattern::Parse(path);
    if (pattern) return *std::move(pattern);
    Add(field, fmt::format("'{}': {}", field, pattern.error().message));
    return std::nullopt;
  }

  void CheckName(const PathPattern& checkpoint) {
    if (query_.name.empty()) return;
    const auto name = Pattern::Parse(query_.name);
    if (!name) {
      Add("name", fmt::format("'name': {}", name.error().message));
      return;
    }
    if (std::ranges::any_of(query_.name, [](unsigned char c) { return c < ' ' || c == 0x7F; })) {
      Add("name", "'name' cannot hold control characters");
    }
    if (name->HasAny()) Add("name", "'name' cannot hold '*': use a capture of 'checkpoint'");
    CheckCaptures("name", name->CaptureNames(), checkpoint);
    if (!checkpoint.IsLiteral() && name->IsLiteral()) {
      Add("name", fmt::format("'name' must hold a capture: '{}' can match many directories",
                              query_.checkpoint));
    }
  }

  void CheckCaptures(std::string_view field, const std::set<std::string>& names,
                     const PathPattern& checkpoint) {
    const std::set<std::string> defined = checkpoint.CaptureNames();
    for (const std::string& name : names) {
      if (defined.contains(name)) continue;
      Add(field, fmt::format("'{}' uses {{{}}}, which 'checkpoint' does not capture{}", field, name,
                             Suggestion(name, {defined.begin(), defined.end()})));
    }
  }

  QueryConfig& query_;
  const Entry& entry_;
  Mistakes& mistakes_;
};

std::vector<std::string> ClusterNames(const Config& config) {
  std::set<std::string> names;
  for (const KafkaConfig& kafka : config.kafka) {
    if (!kafka.name.empty()) names.insert(kafka.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

void CheckQueries(Config& config, const YamlNode& root, Mistakes& mistakes) {
  const std::vector<std::string> clusters = ClusterNames(config);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < config.queries.size(); ++i) {
    QueryConfig& query = config.queries[i];
    const Entry entry(root, "queries", i);
    if (!entry.IsMapping()) continue;
    QueryCheck check(query, entry, mistakes);
    check.CheckPaths();
    check.CheckInterval();
    check.CheckCluster(clusters);
    if (!query.name.empty() && query.name.find('{') == query.name.npos &&
        !seen.insert(query.name).second) {
      check.Add("name", fmt::format("a second query with the name '{}'", query.name));
    }
  }
}

}  // namespace tidegauge
