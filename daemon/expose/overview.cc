#include "daemon/expose/overview.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

void CountFinding(Overview& overview, const FindingReport& found) {
  if (found.phase == Phase::kPending) {
    ++overview.pending;
    return;
  }
  switch (found.finding.severity) {
    case Severity::kCritical:
      ++overview.critical;
      return;
    case Severity::kWarning:
      ++overview.warning;
      return;
    case Severity::kInfo:
      ++overview.info;
      return;
  }
}

bool IsJudged(const QueryReport& query) {
  return query.state != QueryState::kUnknown && query.unknown.empty();
}

void CountQueries(Overview& overview, const Report& report) {
  bool all_remembered = true;
  for (const QueryReport& query : report.queries) {
    if (!IsJudged(query)) {
      ++overview.unjudged;
      continue;
    }
    ++overview.judged;
    if (query.kafka_cluster.empty() || query.topics.empty()) continue;
    if (!query.baseline_at) all_remembered = false;
    overview.remembered_since = std::max(overview.remembered_since, query.baseline_at);
  }
  if (!all_remembered) overview.remembered_since.reset();
}

bool IsWorse(const FindingReport* left, const FindingReport* right) {
  const auto rank = [](const FindingReport& found) {
    return std::tuple(found.phase == Phase::kFiring, found.finding.severity);
  };
  return rank(*left) > rank(*right);
}

}  // namespace

bool Overview::all_clear() const {
  return judged > 0 && unjudged == 0 && other_unknown == 0 && findings.empty();
}

Overview OverviewOf(const Report& report) {
  Overview overview;
  CountQueries(overview, report);
  overview.other_unknown = report.unknown.size();
  for (const ClusterReport& cluster : report.clusters) {
    if (!cluster.up) ++overview.other_unknown;
  }
  for (const FindingReport& found : report.findings) {
    if (found.phase == Phase::kResolved) continue;
    CountFinding(overview, found);
    overview.findings.push_back(&found);
  }
  std::ranges::stable_sort(overview.findings, IsWorse);
  return overview;
}

std::string Headline(const Overview& overview) {
  if (overview.all_clear()) {
    const auto count = static_cast<std::int64_t>(overview.judged);
    return fmt::format("All clear: {} {} judged", NumberText(count),
                       count == 1 ? "query" : "queries");
  }
  std::vector<std::string> parts;
  const auto add = [&parts](std::size_t count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(overview.critical, "critical");
  add(overview.warning, "warning");
  add(overview.info, "info");
  add(overview.pending, "pending");
  add(overview.unjudged, overview.unjudged == 1 ? "query not judged" : "queries not judged");
  if (overview.unjudged == 0) add(overview.other_unknown, "unknown");
  if (parts.empty()) return "Nothing judged: there is no query";
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace tidegauge
