#include "daemon/expose/page_findings.h"

#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "daemon/expose/html.h"
#include "daemon/expose/next_step.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

template <typename... T>
void Add(std::string& out, fmt::format_string<T...> format, T&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
}

std::string WhereOf(const FindingKey& key) {
  std::string where = fmt::format("query {}", key.query);
  const auto add = [&where](std::string_view what, const std::string& name) {
    if (!name.empty()) where += fmt::format(" \u00b7 {} {}", what, name);
  };
  add("topic", key.topic);
  add("source", key.source);
  add("log of", key.log);
  add("cluster", key.kafka_cluster);
  return where;
}

void AddFact(std::string& out, std::string_view name, std::string_view value) {
  Add(out, "<div><dt>{}</dt> <dd>{}</dd></div>", name, value);
}

std::string WhenText(Time time, Time now) {
  if (time > now) return fmt::format("in {} ({})", DurationText(time - now), UtcText(time));
  return fmt::format("{} ago ({})", DurationText(now - time), UtcText(time));
}

void AddFacts(std::string& out, const FindingReport& found, Time now) {
  const Finding& finding = found.finding;
  out += R"(<dl class="facts">)";
  AddFact(out, "Since", WhenText(found.pending_since, now));
  if (found.flaps > 0) AddFact(out, "Came back", CountText(found.flaps, "time"));
  if (found.gone_since) AddFact(out, "Gone since", WhenText(*found.gone_since, now));
  if (finding.records) {
    AddFact(out, "Records",
            fmt::format("{}{}", finding.records_bound == Bound::kAtMost ? "at most " : "",
                        NumberText(*finding.records)));
  }
  if (finding.batches_left) {
    AddFact(out, "Batches left", NumberText(*finding.batches_left));
  }
  if (finding.expected_at) AddFact(out, "Expected", WhenText(*finding.expected_at, now));
  AddFact(out, "Confidence", ToString(finding.confidence));
  out += "</dl>\n";
}

std::string Cell(const std::optional<std::int64_t>& number) {
  return fmt::format(R"(<td class="number">{}</td>)", number ? NumberText(*number) : "");
}

void AddPartitions(std::string& out, const std::vector<FindingPartition>& partitions) {
  if (partitions.empty()) return;
  Add(out,
      "<details><summary>{}</summary><div class=\"scroll\"><table><thead><tr>"
      "<th class=\"number\">Partition</th><th class=\"number\">Checkpoint</th>"
      "<th class=\"number\">Log start</th><th class=\"number\">Log end</th>"
      "<th class=\"number\">Records</th></tr></thead><tbody>\n",
      CountText(static_cast<std::int64_t>(partitions.size()), "partition"));
  for (const FindingPartition& partition : partitions) {
    Add(out, "<tr><td class=\"number\">{}</td>{}{}{}{}</tr>\n", partition.partition,
        Cell(partition.checkpoint), Cell(partition.log_start), Cell(partition.log_end),
        Cell(partition.records));
  }
  out += "</tbody></table></div></details>\n";
}

void AddFinding(std::string& out, const FindingReport& found, Time now) {
  const Finding& finding = found.finding;
  const std::string_view severity = ToString(finding.severity);
  Add(out, R"(<article class="{}"><h3><span class="tag">{}</span>{}<span>{}</span>)", severity,
      severity,
      found.phase == Phase::kPending ? R"(<span class="tag">pending: being confirmed</span>)" : "",
      EscapeHtml(finding.key.kind));
  Add(out, "<span class=\"where\">{}</span></h3>\n<p>{}</p>\n", EscapeHtml(WhereOf(finding.key)),
      EscapeHtml(finding.summary));
  AddFacts(out, found, now);
  Add(out, "<p class=\"next\"><b>What to do:</b> {}</p>\n", EscapeHtml(NextStep(finding.key.kind)));
  AddPartitions(out, finding.partitions);
  out += "</article>\n";
}

void AddUnknown(std::string& out, std::string_view subject,
                const std::vector<std::string>& reasons) {
  Add(out,
      "<article class=\"unknown\"><h3><span class=\"tag\">unknown</span><span>{}</span></h3>\n",
      EscapeHtml(subject));
  for (const std::string& reason : reasons) Add(out, "<p>{}</p>\n", EscapeHtml(reason));
  out += "</article>\n";
}

}  // namespace

void AddFindingCards(std::string& out, const Overview& overview, Time now) {
  if (overview.findings.empty()) return;
  out += "<h2>What is wrong</h2>\n";
  for (const FindingReport* found : overview.findings) AddFinding(out, *found, now);
  out +=
      "<p>The commands for each, and what each way costs: <code>tidegauge plan QUERY</code></p>\n";
}

void AddUnknownCards(std::string& out, const Report& report) {
  std::string cards;
  for (const ClusterReport& cluster : report.clusters) {
    if (!cluster.up) AddUnknown(cards, "cluster " + cluster.kafka_cluster, {cluster.error});
  }
  for (const QueryReport& query : report.queries) {
    if (!query.unknown.empty()) AddUnknown(cards, "query " + query.query, query.unknown);
  }
  if (!report.unknown.empty()) AddUnknown(cards, "configuration", report.unknown);
  if (!cards.empty()) out += "<h2>What could not be judged</h2>\n" + cards;
}

}  // namespace tidegauge
