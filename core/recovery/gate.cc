#include "core/recovery/gate.h"

#include <algorithm>

#include <fmt/core.h>

namespace tidegauge {

GateAnswer Gate::Take(const Report& report) {
  answer_ = {};
  log_end_before_ = std::exchange(log_end_, {});
  std::set<std::string, std::less<>> missing = queries_;
  bool any = false;
  for (const QueryReport& query : report.queries) {
    if (!Counts(query)) continue;
    any = true;
    missing.erase(query.query);
    TakeQuery(report, query);
  }
  for (const std::string& query : missing) {
    Add(GateState::kRefused, fmt::format("there is no query {} that reads topic {} on cluster {}",
                                         query, topic_, kafka_cluster_));
  }
  if (!any && missing.empty()) {
    Add(GateState::kRefused,
        fmt::format("no query reads topic {} on cluster {}", topic_, kafka_cluster_));
  }
  for (const std::string& unknown : report.unknown) Add(GateState::kUnknown, unknown);
  if (step_ == GateStep::kDrained) CheckStable();
  return answer_;
}

/// One whose checkpoint cannot be read may read the topic.
bool Gate::Counts(const QueryReport& query) const {
  if (query.kafka_cluster != kafka_cluster_) return false;
  if (!queries_.empty() && !queries_.contains(query.query)) return false;
  return !query.checkpoint_up || std::ranges::any_of(query.topics, [&](const auto& topic) {
    return topic.topic == topic_;
  });
}

void Gate::TakeQuery(const Report& report, const QueryReport& query) {
  for (const std::string& unknown : query.unknown) {
    Add(GateState::kUnknown, fmt::format("{}: {}", query.query, unknown));
  }
  CheckFindings(report, query.query);
  for (const TopicReport& topic : query.topics) {
    if (topic.topic == topic_) TakeTopic(query, topic);
  }
  if (step_ != GateStep::kRecreated) CheckCommitted(query);
}

void Gate::CheckFindings(const Report& report, const std::string& query) {
  for (const FindingReport& report_of : report.findings) {
    const Finding& finding = report_of.finding;
    const bool holds = !report_of.gone_since;
    if (!holds || finding.key.query != query || finding.key.topic != topic_) continue;
    const std::string& kind = finding.key.kind;
    // No direction: a partition of the new topic did not answer, which is told as unknown.
    const bool is_empty = finding.direction == "empty" || finding.direction.empty();
    const bool refuses = kind == "partition_missing" ||
                         (kind == "topic_recreated" && (step_ == GateStep::kDrained || !is_empty));
    if (refuses) Add(GateState::kRefused, fmt::format("{}: {}", query, finding.summary));
  }
}

void Gate::TakeTopic(const QueryReport& query, const TopicReport& topic) {
  switch (topic.presence) {
    case TopicPresence::kUnknown:
      Add(GateState::kUnknown, fmt::format("{}: topic {} did not answer", query.query, topic_));
      return;
    case TopicPresence::kMissing:
      Add(step_ == GateStep::kDrained ? GateState::kRefused : GateState::kWaiting,
          fmt::format("topic {} does not exist", topic_));
      return;
    case TopicPresence::kPresent:
      for (const PartitionReport& partition : topic.partitions) TakePartition(query, partition);
  }
}

void Gate::TakePartition(const QueryReport& query, const PartitionReport& partition) {
  if (!partition.log_start || !partition.log_end) {
    Add(GateState::kUnknown, fmt::format("{}: partition {} of topic {} did not answer", query.query,
                                         partition.partition, topic_));
    return;
  }
  log_end_[partition.partition] = *partition.log_end;
  switch (step_) {
    case GateStep::kDrained:
      return Drained(query.query, partition);
    case GateStep::kRecreated:
      return Recreated(query.query, partition);
    case GateStep::kRebased:
      return Rebased(query.query, partition);
  }
}

void Gate::Drained(const std::string& query, const PartitionReport& partition) {
  // A partition that the checkpoint does not know yet is read from its log start.
  const Offset position = partition.position.value_or(*partition.log_start);
  if (position > *partition.log_end) {
    Add(GateState::kRefused,
        fmt::format("{}: partition {} ends at {}, before the position {}: the topic is not the one "
                    "that was read",
                    query, partition.partition, *partition.log_end, position));
  } else if (position < *partition.log_end) {
    Add(GateState::kWaiting, fmt::format("{}: {} records of partition {} are not read yet", query,
                                         *partition.log_end - position, partition.partition));
  }
}

void Gate::Recreated(const std::string& query, const PartitionReport& partition) {
  if (*partition.log_end == 0) return;
  const bool is_old = partition.position == partition.log_end;
  if (is_old) {
    Add(GateState::kWaiting, fmt::format("partition {} still ends at {}: this is the old topic",
                                         partition.partition, *partition.log_end));
  } else {
    Add(GateState::kRefused,
        fmt::format("{}: partition {} ends at {} and the position is {}: records were written too "
                    "early",
                    query, partition.partition, *partition.log_end,
                    partition.position ? fmt::format("{}", *partition.position) : "unknown"));
  }
}

void Gate::Rebased(const std::string& query, const PartitionReport& partition) {
  if (partition.position.value_or(*partition.log_start) == *partition.log_start) return;
  if (*partition.log_end != *partition.log_start) {
    Add(GateState::kRefused,
        fmt::format("{}: partition {} has records {} to {} already and the position is {}: they "
                    "were written too early; correct the offsets by hand",
                    query, partition.partition, *partition.log_start, *partition.log_end - 1,
                    *partition.position));
  } else {
    Add(GateState::kWaiting,
        fmt::format("{}: partition {} is still at {}: start the query once with "
                    "failOnDataLoss=false while the topic is empty",
                    query, partition.partition, *partition.position));
  }
}

void Gate::CheckCommitted(const QueryReport& query) {
  if (!query.checkpoint_up || query.newest_batch == query.committed_batch) return;
  Add(GateState::kWaiting,
      query.newest_batch
          ? fmt::format("{}: batch {} is not committed yet", query.query, *query.newest_batch)
          : fmt::format("{}: its checkpoint has commits, but no offsets", query.query));
}

void Gate::CheckStable() {
  if (answer_.state != GateState::kReached || log_end_ == log_end_before_) return;
  Add(GateState::kWaiting, "all is read; the next poll shows whether producers still write");
}

void Gate::Add(GateState state, std::string reason) {
  answer_.state = std::max(answer_.state, state);
  const bool is_new = std::ranges::find(answer_.reasons, reason) == answer_.reasons.end();
  if (is_new) answer_.reasons.push_back(std::move(reason));
}

}  // namespace tidegauge
