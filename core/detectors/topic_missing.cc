// A complete cluster listing lacks a topic that the checkpoint reads.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "topic_missing",
    .summary = "The cluster does not have a topic that the checkpoint reads.",
    .severity = Severity::kCritical,
    .hold = std::chrono::minutes(1)};

class TopicMissing : public Detector {
 public:
  TopicMissing() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const TopicComparison& topic : query.topics) {
      if (topic.presence != TopicPresence::kMissing) continue;
      Finding finding = MakeFinding(query, topic);
      for (const PartitionComparison& partition : topic.partitions) {
        finding.partitions.push_back(RowOf(partition));
      }
      finding.summary = fmt::format(
          "Topic {} does not exist on the cluster, but the checkpoint reads {} of it. The query "
          "fails "
          "at its next start, whatever failOnDataLoss says. Recreating the topic makes its old "
          "offsets "
          "wrong: correct the checkpoint before the query runs again.",
          topic.topic, NamePartitions(finding.partitions));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeTopicMissing() { return std::make_unique<TopicMissing>(); }

}  // namespace tidegauge
