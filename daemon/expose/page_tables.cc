#include "daemon/expose/page_tables.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "daemon/expose/html.h"
#include "daemon/expose/lag.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

constexpr std::string_view kNothing = R"(<span class="soft">unknown</span>)";

template <typename... T>
void Add(std::string& out, fmt::format_string<T...> format, T&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
}

std::string_view ToneOf(QueryState state) {
  switch (state) {
    case QueryState::kOk:
      return "good";
    case QueryState::kFindings:
      return "critical";
    case QueryState::kUnknown:
      return "unknown";
  }
  return {};
}

std::string Number(const std::optional<std::int64_t>& number) {
  return number ? NumberText(*number) : std::string(kNothing);
}

std::string Ago(const std::optional<Time>& time, Time now) {
  return time ? DurationText(now - *time) + " ago" : std::string(kNothing);
}

std::string LagText(const QueryReport& query) {
  const Lag lag = LagOf(query);
  std::string text = Number(lag.behind);
  if (lag.ahead.value_or(0) > 0) text += fmt::format(" ({} ahead)", NumberText(*lag.ahead));
  return text;
}

std::vector<const QueryReport*> WorstFirst(const Report& report) {
  std::vector<const QueryReport*> queries;
  queries.reserve(report.queries.size());
  for (const QueryReport& query : report.queries) queries.push_back(&query);
  const auto rank = [](const QueryReport* query) {
    switch (query->state) {
      case QueryState::kFindings:
        return 0;
      case QueryState::kUnknown:
        return 1;
      case QueryState::kOk:
        return 2;
    }
    return 3;
  };
  std::ranges::stable_sort(queries, {}, rank);
  return queries;
}

void AddQuery(std::string& out, const QueryReport& query, Time now) {
  Add(out, R"(<tr><td class="name">{}</td><td class="{}"><span class="tag">{}</span></td>)",
      EscapeHtml(query.query), ToneOf(query.state), ToString(query.state));
  Add(out, R"(<td class="number">{}</td><td class="number wide">{}</td><td class="number">{}</td>)",
      LagText(query), Number(query.newest_batch), Ago(query.newest_batch_at, now));
  Add(out, "<td class=\"wide\">{}</td><td class=\"wide nowrap\">{}</td></tr>\n",
      query.kafka_cluster.empty() ? "not compared" : EscapeHtml(query.kafka_cluster),
      query.baseline_at ? DurationText(now - *query.baseline_at) : std::string(kNothing));
}

void AddCluster(std::string& out, const ClusterReport& cluster, Time now) {
  Add(out, R"(<tr><td class="name">{}</td><td class="{}"><span class="tag">{}</span></td>)",
      EscapeHtml(cluster.kafka_cluster), cluster.up ? "good" : "unknown",
      cluster.up ? "up" : "no answer");
  Add(out,
      "<td class=\"nowrap\">{}</td><td class=\"number wide\">{} ms</td><td "
      "class=\"wide\">{}</td></tr>\n",
      cluster.last_success_at ? Ago(cluster.last_success_at, now) : "never",
      NumberText(cluster.took.count()),
      cluster.cluster_id.empty() ? std::string(kNothing) : EscapeHtml(cluster.cluster_id));
}

std::string_view ToneOf(const LogReport& log) {
  if (!log.up) return "unknown";
  return log.batches_left || log.missing.value_or(0) > 0 ? "critical" : "good";
}

std::string StateOf(const LogReport& log) {
  if (!log.up) return "not read";
  if (log.batches_left) {
    return fmt::format("fails in {}", *log.batches_left == 1
                                          ? "1 batch"
                                          : NumberText(*log.batches_left) + " batches");
  }
  return log.missing.value_or(0) > 0 ? "files missing" : "ok";
}

void AddLog(std::string& out, const QueryReport& query, const LogReport& log) {
  Add(out, R"(<tr><td class="name">{}</td><td>{}</td>)", EscapeHtml(query.query),
      EscapeHtml(log.log));
  Add(out, R"(<td class="{}"><span class="tag">{}</span></td>)", ToneOf(log), StateOf(log));
  Add(out, R"(<td class="number">{}</td><td class="number">{}</td><td class="number">{}</td>)",
      Number(log.newest_batch), Number(log.next_compaction), Number(log.missing));
  Add(out, "<td class=\"number wide\">{}</td></tr>\n",
      log.compact_bytes ? NumberText(*log.compact_bytes) + " B" : "");
}

std::string_view ToneOf(const DataFilesReport& files) {
  if (!files.ended_at) return "unknown";
  if (*files.missing + *files.truncated + *files.outside_root > 0) return "critical";
  return *files.orphans > 0 ? "warning" : "good";
}

std::string_view StateOf(const DataFilesReport& files) {
  if (!files.ended_at) return "unknown";
  if (*files.missing + *files.truncated > 0) return "files lost";
  if (*files.outside_root > 0) return "files elsewhere";
  return *files.orphans > 0 ? "files not listed" : "ok";
}

std::string ScanText(const DataFilesReport& files, Time now) {
  std::string text = files.ended_at ? Ago(files.ended_at, now) : "none yet";
  // Not rounded: all of it is never said while it runs.
  if (files.progress < 1) {
    text += fmt::format(R"( <span class="soft nowrap">now at {} %</span>)",
                        static_cast<int>(100 * files.progress));
  }
  return text;
}

void AddDataFiles(std::string& out, const QueryReport& query, const DataFilesReport& files,
                  Time now) {
  Add(out, R"(<tr><td class="name">{}</td><td class="{}"><span class="tag">{}</span></td>)",
      EscapeHtml(query.query), ToneOf(files), StateOf(files));
  Add(out, "<td>{}</td>", ScanText(files, now));
  Add(out, R"(<td class="number wide">{}</td><td class="number">{}</td><td class="number">{}</td>)",
      Number(files.listed), Number(files.missing), Number(files.truncated));
  Add(out, "<td class=\"number wide\">{}</td><td class=\"number wide\">{}</td></tr>\n",
      Number(files.outside_root), Number(files.orphans));
}

}  // namespace

void AddQueryTable(std::string& out, const Report& report, Time now) {
  out +=
      "<h2>Queries</h2>\n<div class=\"scroll\"><table><thead><tr><th>Query</th><th>State</th>"
      "<th class=\"number\">Lag</th><th class=\"number wide\">Newest batch</th>"
      "<th class=\"number\">Last batch</th><th class=\"wide\">Cluster</th>"
      "<th class=\"wide\">Remembered for</th></tr></thead><tbody>\n";
  for (const QueryReport* query : WorstFirst(report)) AddQuery(out, *query, now);
  out += "</tbody></table></div>\n";
}

void AddClusterTable(std::string& out, const Report& report, Time now) {
  if (report.clusters.empty()) return;
  out +=
      "<h2>Kafka clusters</h2>\n<div class=\"scroll\"><table><thead><tr><th>Cluster</th>"
      "<th>State</th><th>Last answer</th><th class=\"number wide\">Took</th>"
      "<th class=\"wide\">Cluster id</th></tr></thead><tbody>\n";
  for (const ClusterReport& cluster : report.clusters) AddCluster(out, cluster, now);
  out += "</tbody></table></div>\n";
}

void AddLogTable(std::string& out, const Report& report) {
  std::string rows;
  for (const QueryReport* query : WorstFirst(report)) {
    for (const LogReport& log : query->logs) AddLog(rows, *query, log);
  }
  if (rows.empty()) return;
  out +=
      "<h2>Logs of sinks and file sources</h2>\n<div class=\"scroll\"><table><thead><tr>"
      "<th>Query</th><th>Log</th><th>State</th><th class=\"number\">Newest</th>"
      "<th class=\"number\">Next compaction</th><th class=\"number\">Missing files</th>"
      "<th class=\"number wide\">Compact file</th></tr></thead><tbody>\n";
  out += rows;
  out += "</tbody></table></div>\n";
}

void AddDataFileTable(std::string& out, const Report& report, Time now) {
  std::string rows;
  for (const QueryReport* query : WorstFirst(report)) {
    if (query->data_files) AddDataFiles(rows, *query, *query->data_files, now);
  }
  if (rows.empty()) return;
  out +=
      "<h2>Data files of sinks</h2>\n<div class=\"scroll\"><table><thead><tr><th>Query</th>"
      "<th>State</th><th>Last whole scan</th><th class=\"number wide\">Listed</th>"
      "<th class=\"number\">Missing</th><th class=\"number\">Truncated</th>"
      "<th class=\"number wide\">Outside</th><th class=\"number wide\">Orphans</th></tr></thead>"
      "<tbody>\n";
  out += rows;
  out += "</tbody></table></div>\n";
}

}  // namespace tidegauge
