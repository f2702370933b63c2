// Log end < position, and nothing says that the topic was recreated: the log was truncated, it is
// the wrong cluster, or the broker gives no topic ids.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "end_below_checkpoint",
    .summary = "The log ends below the position, and nothing says that the topic was recreated.",
    .severity = Severity::kCritical,
    .hold = std::chrono::minutes(1)};

class EndBelowCheckpoint : public Detector {
 public:
  EndBelowCheckpoint() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const TopicComparison& topic : query.topics) {
      if (topic.belongs == Belongs::kEarlier) continue;
      Finding finding = MakeFinding(query, topic);
      for (const PartitionComparison& partition : topic.partitions) {
        if (!partition.position || !partition.log_end) continue;
        if (*partition.log_end >= *partition.position) continue;
        finding.partitions.push_back(RowOf(partition, *partition.position - *partition.log_end));
      }
      if (finding.partitions.empty()) continue;
      finding.records = SumRecords(finding.partitions);
      finding.summary = fmt::format(
          "Topic {} ends {} below the checkpoint in {}. A restart fails; with failOnDataLoss=false "
          "it goes back to the end and passes over whatever stands before it.",
          topic.topic, CountRecords(finding.records), NamePartitions(finding.partitions));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeEndBelowCheckpoint() { return std::make_unique<EndBelowCheckpoint>(); }

}  // namespace tidegauge
