#include "core/report_builder.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/core.h>

#include "core/history/events.h"
#include "core/topics/compare.h"

namespace tidegauge {
namespace {

ClusterReport ReportCluster(const std::string& name, const Asked& asked, Time now) {
  ClusterReport report{.kafka_cluster = name, .up = asked.answer.has_value(), .took = asked.took};
  if (asked.answer) {
    report.cluster_id = asked.answer->cluster_id;
    report.last_success_at = now;
  } else {
    report.error = asked.answer.error().message;
  }
  return report;
}

TopicReport ReportTopic(const TopicComparison& topic, const ClusterAnswer* answer) {
  TopicReport report{.topic = topic.topic, .source = topic.source, .presence = topic.presence};
  if (answer != nullptr) {
    const auto found = answer->topics.find(topic.topic);
    if (found != answer->topics.end()) report.topic_id = found->second.topic_id;
  }
  report.partitions.reserve(topic.partitions.size());
  for (const PartitionComparison& partition : topic.partitions) {
    report.partitions.push_back({.partition = partition.partition,
                                 .position = partition.position,
                                 .log_start = partition.log_start,
                                 .log_end = partition.log_end});
  }
  return report;
}

/// A query that is not compared with Kafka still shows where it stands.
TopicReport ReportPosition(const SourceTopic& position) {
  TopicReport report{.topic = position.topic, .source = position.source};
  for (const auto& [partition, offset] : position.offsets) {
    report.partitions.push_back({.partition = partition, .position = offset});
  }
  return report;
}

void ReportTopics(QueryReport& report, const QueryView& view, const Asked* asked) {
  const ClusterAnswer* answer = asked != nullptr && asked->answer ? &*asked->answer : nullptr;
  if (asked != nullptr && answer == nullptr && !view.topics.empty()) {
    report.unknown.push_back(
        fmt::format("cluster {}: {}", view.kafka_cluster, asked->answer.error().message));
  }
  for (const TopicComparison& topic : view.topics) {
    report.topics.push_back(ReportTopic(topic, answer));
    if (answer == nullptr) continue;
    if (std::string why = WhyUnknown(topic); !why.empty()) report.unknown.push_back(std::move(why));
  }
  if (view.kafka_cluster.empty()) {
    for (const SourceTopic& position : view.checkpoint->position) {
      report.topics.push_back(ReportPosition(position));
    }
  }
}

/// A file that was copied or restored has a later time than the compaction had, or an earlier one.
std::optional<Duration> CompactionTook(const CompactFile& file, const Checkpoint& checkpoint) {
  const auto planned =
      std::ranges::lower_bound(checkpoint.batch_times, file.batch, {}, &BatchTime::batch);
  if (planned == checkpoint.batch_times.end() || planned->batch != file.batch) return std::nullopt;
  const auto next = std::next(planned);
  if (file.written_at < planned->planned_at) return std::nullopt;
  if (next != checkpoint.batch_times.end() && file.written_at > next->planned_at) {
    return std::nullopt;
  }
  return file.written_at - planned->planned_at;
}

LogReport ReportLog(const LogView& log, const Checkpoint& checkpoint) {
  LogReport report{.log = log.name, .up = log.log != nullptr};
  if (log.log == nullptr) return report;
  const NextCompactionView* failing = log.failing();
  report.newest_batch = log.newest;
  report.interval = log.log->interval;
  report.next_compaction = log.restarted.batch;
  report.missing = static_cast<std::int64_t>(log.Missing());
  if (failing != nullptr) {
    report.batches_left = failing->batches_left;
    report.failure_expected_at = failing->expected_at;
  }
  if (!log.log->compacts.empty()) {
    const CompactFile& newest = log.log->compacts.front();
    report.compact_bytes = static_cast<std::int64_t>(newest.bytes);
    report.compact_written_at = newest.written_at;
    if (log.is_sink()) report.compaction_took = CompactionTook(newest, checkpoint);
  }
  if (log.growth) report.compact_growth = log.growth->bytes;
  return report;
}

void ReportLogs(QueryReport& report, const QueryView& view) {
  for (const LogView& log : view.logs) {
    report.logs.push_back(ReportLog(log, *view.checkpoint));
    if (log.log == nullptr) {
      report.unknown.push_back(fmt::format("log of {}: {}", log.name, log.error));
    }
  }
}

std::optional<DataFilesReport> ReportDataFiles(const std::optional<DataFileScanView>& scan) {
  if (!scan) return std::nullopt;
  DataFilesReport report{.progress = scan->progress};
  if (scan->last == nullptr) return report;
  const DataFiles& files = *scan->last;
  report.ended_at = files.ended_at;
  report.listed = static_cast<std::int64_t>(files.listed);
  report.listed_bytes = static_cast<std::int64_t>(files.listed_bytes);
  report.missing = static_cast<std::int64_t>(files.missing.count);
  report.truncated = static_cast<std::int64_t>(files.truncated.count);
  report.outside_root = static_cast<std::int64_t>(files.outside.count);
  report.orphans = static_cast<std::int64_t>(files.orphans.count);
  return report;
}

std::optional<Time> BaselineOf(const Ledger& ledger, const std::string& query) {
  std::optional<Time> baseline;
  for (auto entry = ledger.bindings.lower_bound({query, {}, {}});
       entry != ledger.bindings.end() && std::get<0>(entry->first) == query; ++entry) {
    const Time bound_at = entry->second.bound_at;
    baseline = baseline ? std::max(*baseline, bound_at) : bound_at;
  }
  return baseline;
}

QueryReport ReportQuery(const Reading& reading, const QueryView& view, const Answers& answers,
                        const Ledger& ledger) {
  QueryReport report{.query = reading.target.query,
                     .checkpoint = reading.target.checkpoint,
                     .kafka_cluster = reading.target.kafka_cluster};
  report.checkpoint_up = reading.checkpoint && (*reading.checkpoint)->position_known;
  if (!reading.checkpoint) {
    report.unknown.push_back(reading.checkpoint.error().message);
    return report;
  }
  const Checkpoint& checkpoint = **reading.checkpoint;
  report.query_id = checkpoint.query_id;
  report.newest_batch = checkpoint.newest_batch;
  report.committed_batch = checkpoint.committed_batch;
  report.newest_batch_at = checkpoint.newest_batch_at;
  report.unmonitored_sources = checkpoint.unmonitored_sources;
  report.unknown = checkpoint.problems;
  report.baseline_at = BaselineOf(ledger, report.query);
  const auto asked = answers.find(view.kafka_cluster);
  ReportTopics(report, view, asked == answers.end() ? nullptr : &asked->second);
  ReportLogs(report, view);
  report.data_files = ReportDataFiles(reading.data_files);
  if (reading.data_files && !reading.data_files->error.empty()) {
    report.unknown.push_back("data files: " + reading.data_files->error);
  }
  if (checkpoint.position_known && checkpoint.position.empty() &&
      checkpoint.unmonitored_sources == 0) {
    report.unknown.emplace_back(
        checkpoint.newest_batch
            ? fmt::format("offsets/{} names no partition of any topic", *checkpoint.newest_batch)
            : "no batch has been planned yet: there are no offsets to judge");
  }
  return report;
}

std::vector<FindingReport> ReportFindings(const Ledger& ledger) {
  std::vector<FindingReport> findings;
  for (const auto& [key, record] : ledger.findings) {
    if (record.phase != Phase::kResolved) findings.push_back(record);
  }
  std::ranges::stable_sort(findings, [](const FindingReport& a, const FindingReport& b) {
    return a.finding.severity > b.finding.severity;
  });
  return findings;
}

std::vector<FindingReport> ReportResolved(const Ledger& ledger) {
  std::vector<FindingReport> resolved;
  for (const auto& [key, record] : ledger.findings) {
    if (record.phase == Phase::kResolved) resolved.push_back(record);
  }
  return resolved;
}

QueryState StateOf(const QueryReport& query, const std::vector<FindingReport>& findings) {
  const bool found = std::ranges::any_of(findings, [&](const FindingReport& finding) {
    return finding.finding.key.query == query.query && finding.phase == Phase::kFiring;
  });
  if (found) return QueryState::kFindings;
  return query.unknown.empty() ? QueryState::kOk : QueryState::kUnknown;
}

}  // namespace

Report BuildReport(const Readings& readings, const Answers& answers,
                   const std::vector<QueryView>& views, const Ledger& ledger, Time now) {
  Report report{.polled_at = now};
  report.findings = ReportFindings(ledger);
  report.resolved = ReportResolved(ledger);
  report.findings_total = ledger.findings_total;
  report.history = HistoryOf(ledger);
  report.unknown = readings.unknown;
  for (const auto& [name, asked] : answers) {
    report.clusters.push_back(ReportCluster(name, asked, now));
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    QueryReport query = ReportQuery(readings.queries[i], views[i], answers, ledger);
    query.state = StateOf(query, report.findings);
    report.queries.push_back(std::move(query));
  }
  return report;
}

}  // namespace tidegauge
