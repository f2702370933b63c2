// It already happened: a batch started inside a new incarnation of the topic above its log start,
// or offsets fell from one batch to the next, the trace that failOnDataLoss=false leaves.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "records_skipped",
    .summary = "The query has passed over records of a recreated topic; they will never be read.",
    .severity = Severity::kCritical,
    .needs_kafka = false};

void Add(Finding& finding, const SkipEvent& event) {
  for (const FindingPartition& partition : event.partitions) {
    const auto known =
        std::ranges::find(finding.partitions, partition.partition, &FindingPartition::partition);
    if (known == finding.partitions.end()) {
      finding.partitions.push_back(partition);
      continue;
    }
    const std::int64_t before = known->records.value_or(0);
    *known = partition;
    known->records = before + partition.records.value_or(0);
  }
  finding.batch = std::max(finding.batch.value_or(event.batch), event.batch);
  finding.confidence = std::min(finding.confidence, event.confidence);
  if (event.bound == Bound::kAtMost) finding.records_bound = Bound::kAtMost;
}

class RecordsSkipped : public Detector {
 public:
  RecordsSkipped() : Detector(kInfo) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field("resolve_after", resolve_after_,
                  "When a loss that nobody has acknowledged rests all the same. 0s: never.");
  }

  std::vector<Finding> Check(const QueryView& query) const override {
    std::map<FindingKey, Finding> by_topic;
    for (const SkipEvent& event : query.skips) {
      if (Rests(event, query.now)) continue;
      Finding finding = MakeFinding(query);
      finding.key.topic = event.topic;
      finding.key.source = event.source;
      Add(by_topic.try_emplace(finding.key, finding).first->second, event);
    }
    std::vector<Finding> findings;
    for (auto& [key, finding] : by_topic) {
      std::ranges::sort(finding.partitions, {}, &FindingPartition::partition);
      finding.records = SumRecords(finding.partitions);
      finding.summary = fmt::format(
          "Batch {} passed over {} of topic {} ({}). They will not be read again; acknowledge with "
          "'tidegauge ack' once they are dealt with.",
          *finding.batch, CountRecords(finding.records, finding.records_bound), key.topic,
          NamePartitions(finding.partitions));
      findings.push_back(std::move(finding));
    }
    return findings;
  }

 private:
  bool Rests(const SkipEvent& event, Time now) const {
    return resolve_after_ > Duration::zero() && now - event.seen_at >= resolve_after_;
  }

  Duration resolve_after_ = Duration::zero();
};

}  // namespace

DetectorPtr MakeRecordsSkipped() { return std::make_unique<RecordsSkipped>(); }

}  // namespace tidegauge
