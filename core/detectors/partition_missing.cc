// The topic is there, but lacks partitions that the checkpoint reads. Kafka cannot take partitions
// away from a topic, so it was recreated with fewer.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "partition_missing",
                             .summary = "The topic lacks partitions that the checkpoint reads.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(1)};

class PartitionMissing : public Detector {
 public:
  PartitionMissing() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const TopicComparison& topic : query.topics) {
      if (topic.presence != TopicPresence::kPresent) continue;
      Finding finding = MakeFinding(query, topic);
      for (const PartitionComparison& partition : topic.partitions) {
        if (partition.listed || !partition.position) continue;
        finding.partitions.push_back(RowOf(partition));
      }
      if (finding.partitions.empty()) continue;
      finding.summary = fmt::format(
          "Topic {} no longer has {}, which the checkpoint reads: it was recreated with fewer "
          "partitions. A restart fails; with failOnDataLoss=false they drop out of the checkpoint.",
          topic.topic, NamePartitions(finding.partitions));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakePartitionMissing() { return std::make_unique<PartitionMissing>(); }

}  // namespace tidegauge
