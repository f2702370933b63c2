#include "daemon/expose/report_json.h"

#include <boost/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "daemon/expose/clean_text.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

namespace json = boost::json;

void PutText(json::object& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object[key] = WellFormed(text);
}

void PutTime(json::object& object, std::string_view key, const std::optional<Time>& time) {
  if (time) object[key] = Rfc3339(*time);
}

void PutNumber(json::object& object, std::string_view key,
               const std::optional<std::int64_t>& number) {
  if (number) object[key] = *number;
}

json::object ToJson(const FindingPartition& partition) {
  json::object object;
  object["partition"] = partition.partition;
  PutNumber(object, "checkpoint", partition.checkpoint);
  PutNumber(object, "log_start", partition.log_start);
  PutNumber(object, "log_end", partition.log_end);
  PutNumber(object, "records", partition.records);
  return object;
}

json::array PartitionsOf(const Finding& finding) {
  json::array partitions;
  partitions.reserve(finding.partitions.size());
  for (const FindingPartition& partition : finding.partitions) {
    partitions.push_back(ToJson(partition));
  }
  return partitions;
}

json::array NamesOf(const std::vector<std::string>& names) {
  json::array array;
  for (const std::string& name : names) array.push_back(json::string(WellFormed(name)));
  return array;
}

void PutKey(json::object& object, const FindingKey& key, std::optional<Severity> severity) {
  object["kind"] = WellFormed(key.kind);
  if (severity) object["severity"] = ToString(*severity);
  object["query"] = WellFormed(key.query);
  PutText(object, "kafka_cluster", key.kafka_cluster);
  PutText(object, "topic", key.topic);
  PutText(object, "source", key.source);
  PutText(object, "log", key.log);
}

void PutJudgement(json::object& object, const Finding& finding) {
  PutText(object, "direction", finding.direction);
  if (!finding.evidence.empty()) {
    object["evidence"] = json::array(finding.evidence.begin(), finding.evidence.end());
  }
  object["confidence"] = ToString(finding.confidence);
  if (finding.records) {
    object["records"] = *finding.records;
    object["records_bound"] = ToString(finding.records_bound);
  }
  PutNumber(object, "batch", finding.batch);
  if (!finding.missing.empty()) object["missing"] = NamesOf(finding.missing);
  if (finding.batches_left) {
    object["batches_left"] = *finding.batches_left;
    object["expected_at"] =
        nullptr;  // unless it is known: whoever counts batches asks for the time
  }
  PutTime(object, "expected_at", finding.expected_at);
  if (!finding.partitions.empty()) object["partitions"] = PartitionsOf(finding);
}

json::object ToJson(const FindingReport& report) {
  json::object object;
  PutKey(object, report.finding.key, report.finding.severity);
  PutJudgement(object, report.finding);
  object["phase"] = ToString(report.phase);
  PutTime(object, "since", report.pending_since);
  if (report.flaps > 0) object["flaps"] = report.flaps;
  PutTime(object, "gone_since", report.gone_since);
  PutText(object, "summary", report.finding.summary);
  return object;
}

json::object PositionOf(const TopicReport& topic) {
  json::object position;
  for (const PartitionReport& partition : topic.partitions) {
    if (partition.position) position[fmt::to_string(partition.partition)] = *partition.position;
  }
  return position;
}

json::object PositionOf(const QueryReport& query) {
  json::object position;
  for (const TopicReport& topic : query.topics) {
    const std::string key =
        topic.source.empty() ? topic.topic : fmt::format("{}#{}", topic.topic, topic.source);
    json::object partitions = PositionOf(topic);
    if (!partitions.empty()) position[WellFormed(key)] = std::move(partitions);
  }
  return position;
}

json::object ToJson(const LogReport& log) {
  json::object object;
  object["log"] = WellFormed(log.log);
  PutNumber(object, "newest_batch", log.newest_batch);
  PutNumber(object, "interval", log.interval);
  PutNumber(object, "next_compaction", log.next_compaction);
  PutNumber(object, "missing", log.missing);
  PutNumber(object, "compact_bytes", log.compact_bytes);
  PutNumber(object, "compact_growth_bytes", log.compact_growth);
  return object;
}

json::object ToJson(const DataFilesReport& files) {
  json::object object;
  object["progress"] = files.progress;
  PutTime(object, "scan_ended_at", files.ended_at);
  PutNumber(object, "listed", files.listed);
  PutNumber(object, "listed_bytes", files.listed_bytes);
  PutNumber(object, "missing", files.missing);
  PutNumber(object, "truncated", files.truncated);
  PutNumber(object, "outside_root", files.outside_root);
  PutNumber(object, "orphans", files.orphans);
  return object;
}

json::object ToJson(const QueryReport& query) {
  json::object object;
  object["query"] = WellFormed(query.query);
  object["state"] = ToString(query.state);
  PutNumber(object, "newest_batch", query.newest_batch);
  PutNumber(object, "committed_batch", query.committed_batch);
  PutTime(object, "remembered_since", query.baseline_at);
  json::object position = PositionOf(query);
  if (!position.empty()) object["position"] = std::move(position);
  if (!query.logs.empty()) {
    json::array logs;
    for (const LogReport& log : query.logs) logs.push_back(ToJson(log));
    object["logs"] = std::move(logs);
  }
  if (query.data_files) object["data_files"] = ToJson(*query.data_files);
  return object;
}

json::object StartDocument(const Report& report) {
  json::object document;
  document["polled_at"] = Rfc3339(report.polled_at);
  return document;
}

void PutQueries(json::object& document, const Report& report) {
  json::array queries;
  for (const QueryReport& query : report.queries) queries.push_back(ToJson(query));
  document["queries"] = std::move(queries);
}

void PutFindings(json::object& document, const Report& report) {
  json::array findings;
  for (const FindingReport& finding : report.findings) findings.push_back(ToJson(finding));
  document["findings"] = std::move(findings);
}

void PutUnknown(json::object& document, const Report& report) {
  json::array unknown;
  for (const QueryReport& query : report.queries) {
    for (const std::string& reason : query.unknown) {
      unknown.push_back(
          json::object{{"query", WellFormed(query.query)}, {"reason", WellFormed(reason)}});
    }
  }
  for (const std::string& reason : report.unknown) {
    unknown.push_back(json::object{{"reason", WellFormed(reason)}});
  }
  document["unknown"] = std::move(unknown);
}

json::object ToJson(const Event& event) {
  json::object object;
  PutTime(object, "at", event.at);
  object["event"] = ToString(event.type);
  const bool is_of_finding = event.type != EventType::kAcknowledged;
  PutKey(object, event.key, is_of_finding ? std::optional(event.severity) : std::nullopt);
  PutTime(object, "firing_since", event.firing_since);
  PutText(object, "text", event.text);
  return object;
}

std::string Print(const json::object& document) { return json::serialize(document) + "\n"; }

}  // namespace

std::string ReportJson(const Report& report) {
  json::object document = StartDocument(report);
  PutQueries(document, report);
  PutFindings(document, report);
  PutUnknown(document, report);
  return Print(document);
}

std::string QueriesJson(const Report& report) {
  json::object document = StartDocument(report);
  PutQueries(document, report);
  PutUnknown(document, report);
  return Print(document);
}

std::string FindingsJson(const Report& report) {
  json::object document = StartDocument(report);
  PutFindings(document, report);
  return Print(document);
}

std::string HistoryJson(const std::vector<Event>& events) {
  json::array history;
  for (const Event& event : events) history.push_back(ToJson(event));
  return Print({{"history", std::move(history)}});
}

}  // namespace tidegauge
