// An offsets file lost every partition that the batch before had (SPARK-41375, fixed in 3.3.2): the
// next batch takes all partitions for new ones and reads them from their beginning, again.
#include <algorithm>

#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "source_offsets_empty",
    .summary = "An offsets file lost every partition of a source that the batch before had.",
    .severity = Severity::kCritical,
    .needs_kafka = false};

bool Has(const std::vector<SourceTopic>& topics, const BatchStep& step) {
  return std::ranges::any_of(topics, [&](const SourceTopic& topic) {
    return topic.topic == step.topic && topic.source == step.source;
  });
}

/// Until one more batch stands after the one that took the partitions for new, and at least in the
/// poll that first sees it.
bool IsRecent(const BatchStep& step, const QueryView& query) {
  const Checkpoint& checkpoint = *query.checkpoint;
  const BatchId newest = checkpoint.newest_batch.value_or(-1);
  const bool still_empty = !Has(checkpoint.position, step) && !Has(checkpoint.in_flight, step);
  return still_empty || step.batch >= newest - 1 || step.batch > query.newest_batch_before;
}

const TopicComparison* FindTopic(const QueryView& query, const BatchStep& step) {
  const auto found = std::ranges::find_if(query.topics, [&](const TopicComparison& topic) {
    return topic.topic == step.topic && topic.source == step.source;
  });
  return found == query.topics.end() ? nullptr : &*found;
}

std::optional<Offset> LogStart(const TopicComparison* topic, Partition number) {
  if (topic == nullptr) return std::nullopt;
  const auto found = std::ranges::find(topic->partitions, number, &PartitionComparison::partition);
  return found == topic->partitions.end() ? std::nullopt : found->log_start;
}

class SourceOffsetsEmpty : public Detector {
 public:
  SourceOffsetsEmpty() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const BatchStep& step : query.checkpoint->steps) {
      if (step.kind != BatchStep::Kind::kSourceEmptied || !IsRecent(step, query)) continue;
      Finding finding = MakeFinding(query);
      finding.key.topic = step.topic;
      finding.key.source = step.source;
      finding.batch = step.batch;
      finding.records_bound = Bound::kAtMost;
      for (const auto& [partition, offset] : step.from) {
        const Offset log_start = LogStart(FindTopic(query, step), partition).value_or(0);
        finding.partitions.push_back({.partition = partition,
                                      .checkpoint = offset,
                                      .records = std::max<std::int64_t>(0, offset - log_start)});
      }
      finding.records = SumRecords(finding.partitions);
      finding.summary = fmt::format(
          "offsets/{} has no partition of topic {}, though the batch before had {}. The next batch "
          "reads them from their beginning again: {} twice.",
          step.batch, step.topic, NamePartitions(finding.partitions),
          CountRecords(finding.records, finding.records_bound));
      std::erase_if(findings, [&](const Finding& older) { return older.key == finding.key; });
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeSourceOffsetsEmpty() { return std::make_unique<SourceOffsetsEmpty>(); }

}  // namespace tidegauge
