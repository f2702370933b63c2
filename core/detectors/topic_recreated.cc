// The checkpoint's offsets belong to an earlier incarnation of the topic. Spark keeps no topic id:
// it compares numbers alone, and says nothing when the new end is at or above the old position.
#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "topic_recreated",
    .summary = "The checkpoint's offsets belong to an earlier incarnation of the topic.",
    .severity = Severity::kCritical};

/// Where a restart's first batch ends: an uncommitted batch is run again with its end as written,
/// however far the topic has grown since. `log_end` must be known.
Offset RestartEnd(const PartitionComparison& partition) {
  return std::min(partition.in_flight_end.value_or(*partition.log_end), *partition.log_end);
}

/// How the new end lies to the old position, over all partitions: what Spark will do follows from
/// it. Empty: not known.
std::string Direction(const TopicComparison& topic) {
  bool any_record = false;
  bool any_unknown = false;
  bool below = false;
  bool above = false;
  for (const PartitionComparison& partition : topic.partitions) {
    if (!partition.listed) continue;
    any_unknown |= !partition.log_end;
    if (!partition.log_end) continue;
    any_record |= *partition.log_end > 0;
    if (!partition.position) continue;
    const Offset end = RestartEnd(partition);
    below |= end < *partition.position;
    above |= end > *partition.position;
  }
  if (any_record && below) return "below";
  if (any_unknown) return {};
  if (!any_record) return "empty";
  return above ? "above" : "equal";
}

/// A restart reads from the old position on; where the end lies below it, failOnDataLoss=false
/// makes it continue from that end. Records before the smaller of the two are passed over.
std::optional<std::int64_t> PassedOver(const PartitionComparison& partition) {
  if (!partition.log_start || !partition.log_end) return std::nullopt;
  const Offset reached = std::min(*partition.position, RestartEnd(partition));
  return std::max<std::int64_t>(0, reached - *partition.log_start);
}

std::string_view Place(std::string_view direction) {
  if (direction == "empty") return "; it is empty";
  if (direction == "below") return "; its end is below the position";
  if (direction == "equal") return "; its end is equal to the position";
  if (direction == "above") return "; its end is above the position";
  return {};
}

std::string Consequence(const Finding& finding) {
  const std::string lost = CountRecords(finding.records, finding.records_bound);
  if (finding.direction.empty()) return "Kafka gave no end for some partitions";
  if (finding.direction == "empty") {
    return "A restart fails unless failOnDataLoss=false, which sets the offsets to the new topic's";
  }
  if (finding.direction == "below") {
    return fmt::format("A restart fails; with failOnDataLoss=false it passes over {}", lost);
  }
  return fmt::format("Spark sees no error: a restart passes over {}", lost);
}

class TopicRecreated : public Detector {
 public:
  TopicRecreated() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const TopicComparison& topic : query.topics) {
      if (topic.belongs == Belongs::kEarlier) findings.push_back(Describe(query, topic));
    }
    return findings;
  }

 private:
  Finding Describe(const QueryView& query, const TopicComparison& topic) const {
    Finding finding = MakeFinding(query, topic);
    finding.direction = Direction(topic);
    finding.evidence = topic.evidence;
    finding.confidence = topic.confidence;
    if (topic.batch >= 0) finding.batch = topic.batch;
    for (const PartitionComparison& partition : topic.partitions) {
      if (!partition.position || !partition.listed) continue;
      finding.partitions.push_back(RowOf(partition, PassedOver(partition)));
    }
    finding.records = SumRecords(finding.partitions);
    finding.summary = fmt::format(
        "Topic {} was recreated after the checkpoint was written (evidence: {}, {}){}. {}.",
        topic.topic, fmt::join(finding.evidence, ", "), ToString(finding.confidence),
        Place(finding.direction), Consequence(finding));
    return finding;
  }
};

}  // namespace

DetectorPtr MakeTopicRecreated() { return std::make_unique<TopicRecreated>(); }

}  // namespace tidegauge
