#include "daemon/journal.h"

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "daemon/log/log.h"

namespace tidegauge {
namespace {

std::map<FindingKey, const Finding*> Firing(const Report* report) {
  std::map<FindingKey, const Finding*> firing;
  if (report == nullptr) return firing;
  for (const FindingReport& finding : report->findings) {
    if (finding.phase == Phase::kFiring) firing[finding.finding.key] = &finding.finding;
  }
  return firing;
}

LogLevel LevelOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return LogLevel::kInfo;
    case Severity::kWarning:
      return LogLevel::kWarn;
    case Severity::kCritical:
      return LogLevel::kError;
  }
  return LogLevel::kError;
}

void LogFinding(LogLevel level, std::string_view message, const Finding& finding) {
  Log(level, message,
      {{"kind", finding.key.kind},
       {"severity", std::string(ToString(finding.severity))},
       {"query", finding.key.query},
       {"kafka_cluster", finding.key.kafka_cluster},
       {"topic", finding.key.topic},
       {"log", finding.key.log},
       {"records", finding.records ? fmt::format("{}", *finding.records) : "unknown"}});
}

void LogFindings(const Report* before, const Report& now) {
  const auto was = Firing(before);
  const auto is = Firing(&now);
  for (const auto& [key, finding] : is) {
    if (!was.contains(key)) LogFinding(LevelOf(finding->severity), finding->summary, *finding);
  }
  for (const auto& [key, finding] : was) {
    if (!is.contains(key)) LogFinding(LogLevel::kInfo, "resolved", *finding);
  }
}

void LogClusters(const Report* before, const Report& now) {
  std::map<std::string, bool> was;
  if (before != nullptr) {
    for (const ClusterReport& cluster : before->clusters) was[cluster.kafka_cluster] = cluster.up;
  }
  for (const ClusterReport& cluster : now.clusters) {
    const auto known = was.find(cluster.kafka_cluster);
    if (known != was.end() && known->second == cluster.up) continue;
    if (cluster.up) {
      Log(LogLevel::kInfo, "cluster answers",
          {{"kafka_cluster", cluster.kafka_cluster}, {"cluster_id", cluster.cluster_id}});
    } else {
      Log(LogLevel::kWarn, "cluster does not answer",
          {{"kafka_cluster", cluster.kafka_cluster}, {"reason", cluster.error}});
    }
  }
}

std::map<std::string, const QueryReport*> ByName(const Report* report) {
  std::map<std::string, const QueryReport*> queries;
  if (report == nullptr) return queries;
  for (const QueryReport& query : report->queries) queries[query.query] = &query;
  return queries;
}

/// What the query's cluster does not answer is told once, of the cluster.
std::vector<std::string> OwnProblems(const Report& report, const QueryReport& query) {
  std::vector<std::string> problems = query.unknown;
  for (const ClusterReport& cluster : report.clusters) {
    if (cluster.up || cluster.kafka_cluster != query.kafka_cluster) continue;
    std::erase(problems, fmt::format("cluster {}: {}", cluster.kafka_cluster, cluster.error));
  }
  return problems;
}

/// A reason without its numbers: those of partitions and times change from poll to poll, and say
/// nothing new.
std::string WordsOf(const std::vector<std::string>& problems) {
  std::string words = fmt::format("{}", fmt::join(problems, ";"));
  std::erase_if(words, [](unsigned char letter) { return std::isalpha(letter) == 0; });
  return words;
}

void LogQuery(std::string_view query, const std::vector<std::string>& before,
              const std::vector<std::string>& now) {
  if (before.empty() == now.empty() && WordsOf(before) == WordsOf(now)) return;
  if (now.empty()) {
    Log(LogLevel::kInfo, "query can be judged again", {{"query", std::string(query)}});
  } else {
    Log(LogLevel::kWarn, "query cannot be judged whole",
        {{"query", std::string(query)}, {"reason", fmt::format("{}", fmt::join(now, "; "))}});
  }
}

void LogQueries(const Report* before, const Report& now) {
  const auto was = ByName(before);
  const auto is = ByName(&now);
  for (const auto& [name, query] : is) {
    const auto known = was.find(name);
    std::vector<std::string> problems;
    if (known == was.end()) {
      Log(LogLevel::kInfo, "watching query", {{"query", name}, {"checkpoint", query->checkpoint}});
    } else {
      problems = OwnProblems(*before, *known->second);
    }
    LogQuery(name, problems, OwnProblems(now, *query));
  }
  for (const auto& [name, query] : was) {
    if (!is.contains(name)) Log(LogLevel::kInfo, "query is gone", {{"query", name}});
  }
}

void LogUnknown(const Report* before, const Report& now) {
  const std::set<std::string> was = before == nullptr
                                        ? std::set<std::string>{}
                                        : std::set(before->unknown.begin(), before->unknown.end());
  for (const std::string& problem : now.unknown) {
    if (!was.contains(problem)) Log(LogLevel::kWarn, problem);
  }
}

}  // namespace

void LogChanges(const Report* before, const Report& now) {
  LogClusters(before, now);
  LogQueries(before, now);
  LogUnknown(before, now);
  LogFindings(before, now);
}

}  // namespace tidegauge
