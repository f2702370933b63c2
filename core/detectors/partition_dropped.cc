// An offsets file lost partitions that the batch before had, and they have not come back since: with
// failOnDataLoss=false the query goes on without them.
#include <fmt/core.h>

#include <algorithm>

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

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const BatchStep& step : query.checkpoint->steps) {
      if (step.kind != BatchStep::Kind::kPartitionDropped) continue;
      Finding finding = MakeFinding(query);
      finding.key.topic = step.topic;
      finding.key.source = step.source;
      finding.batch = step.batch;
      for (const auto& [partition, offset] : step.from) {
        if (IsBack(*query.checkpoint, step, partition)) continue;
        finding.partitions.push_back({.partition = partition, .checkpoint = offset});
      }
      if (finding.partitions.empty()) continue;
      finding.summary = fmt::format(
          "offsets/{} no longer has {} of topic {}: the query has gone on without them since.",
          step.batch, NamePartitions(finding.partitions), step.topic);
      findings.push_back(std::move(finding));
    }
    return Merged(std::move(findings));
  }

 private:
  static bool IsBack(const Checkpoint& checkpoint, const BatchStep& step, Partition partition) {
    const bool in_flight_step = !checkpoint.in_flight.empty() &&
                                step.batch == checkpoint.newest_batch.value_or(-1);
    const auto& newest = in_flight_step ? checkpoint.in_flight : checkpoint.position;
    return Has(newest, step, partition);
  }

  /// One finding a topic: the latest drop.
  static std::vector<Finding> Merged(std::vector<Finding> findings) {
    std::vector<Finding> merged;
    for (Finding& finding : findings) {
      const auto same = std::ranges::find(merged, finding.key, &Finding::key);
      if (same == merged.end()) {
        merged.push_back(std::move(finding));
      } else {
        *same = std::move(finding);
      }
    }
    return merged;
  }
};

}  // namespace

DetectorPtr MakePartitionDropped() { return std::make_unique<PartitionDropped>(); }

}  // namespace tidegauge
