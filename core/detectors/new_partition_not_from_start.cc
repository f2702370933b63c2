// A partition that the checkpoint does not know yet has already lost its first records. Spark
// expects a new partition to begin at 0 (KafkaOffsetReader: "Added partition … starts from …
// instead of 0").
#include <algorithm>

#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "new_partition_not_from_start",
    .summary = "A partition new to the checkpoint has already lost its first records.",
    .severity = Severity::kCritical,
    .hold = std::chrono::minutes(1)};

class NewPartitionNotFromStart : public Detector {
 public:
  NewPartitionNotFromStart() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const TopicComparison& topic : query.topics) {
      Finding finding = MakeFinding(query, topic);
      for (const PartitionComparison& partition : topic.partitions) {
        if (partition.position || partition.passed_by) continue;
        if (partition.log_start.value_or(0) == 0) continue;
        finding.partitions.push_back(RowOf(partition, partition.log_start));
      }
      if (finding.partitions.empty()) continue;
      finding.records_bound = Bound::kAtMost;
      finding.records = SumRecords(finding.partitions);
      finding.summary = fmt::format(
          "Topic {} has {} that the checkpoint does not know yet, and {} expired there before they "
          "were read. The next batch fails unless failOnDataLoss=false.",
          topic.topic, NamePartitions(finding.partitions),
          CountRecords(finding.records, finding.records_bound));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeNewPartitionNotFromStart() { return std::make_unique<NewPartitionNotFromStart>(); }

}  // namespace tidegauge
