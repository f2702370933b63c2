// An offsets file lost partitions that the batch before had, and they have not come back since:
// with failOnDataLoss=false the query goes on without them.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "partition_dropped",
    .summary = "An offsets file lost partitions that the batch before had.",
    .severity = Severity::kWarning,
    .needs_kafka = false};

bool Has(const std::vector<SourceTopic>& topics, const BatchStep& step, Partition partition) {
  return std::ranges::any_of(topics, [&](const SourceTopic& topic) {
    return topic.topic == step.topic && topic.source == step.source &&
           topic.offsets.contains(partition);
  });
}

class PartitionDropped : public Detector {
 public:
  PartitionDropped() : Detector(kInfo) {}

  /// One finding a topic, whatever it lost when.
  std::vector<Finding> Check(const QueryView& query) const override {
    std::map<FindingKey, Finding> by_topic;
    for (const BatchStep& step : query.checkpoint->steps) {
      if (step.kind != BatchStep::Kind::kPartitionDropped) continue;
      Finding empty = MakeFinding(query);
      empty.key.topic = step.topic;
      empty.key.source = step.source;
      for (const auto& [partition, offset] : step.from) {
        if (IsBack(*query.checkpoint, step, partition)) continue;
        Add(by_topic.try_emplace(empty.key, empty).first->second, step.batch, partition, offset);
      }
    }
    std::vector<Finding> findings;
    for (auto& [key, finding] : by_topic) {
      std::ranges::sort(finding.partitions, {}, &FindingPartition::partition);
      finding.summary = fmt::format(
          "offsets/{} no longer has {} of topic {}: the query has gone on without them since.",
          *finding.batch, NamePartitions(finding.partitions), key.topic);
      findings.push_back(std::move(finding));
    }
    return findings;
  }

 private:
  static void Add(Finding& finding, BatchId batch, Partition partition, Offset offset) {
    finding.batch = batch;
    const auto known =
        std::ranges::find(finding.partitions, partition, &FindingPartition::partition);
    if (known != finding.partitions.end()) {
      known->checkpoint = offset;
    } else {
      finding.partitions.push_back({.partition = partition, .checkpoint = offset});
    }
  }

  static bool IsBack(const Checkpoint& checkpoint, const BatchStep& step, Partition partition) {
    const bool in_flight_step =
        !checkpoint.in_flight.empty() && step.batch == checkpoint.newest_batch.value_or(-1);
    const auto& newest = in_flight_step ? checkpoint.in_flight : checkpoint.position;
    return Has(newest, step, partition);
  }
};

}  // namespace

DetectorPtr MakePartitionDropped() { return std::make_unique<PartitionDropped>(); }

}  // namespace tidegauge
