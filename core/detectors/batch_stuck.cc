// The newest batch has been planned, and has not ended for longer than batches of this query take.
#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/history/rhythm.h"
#include "core/topics/waiting.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "batch_stuck",
    .summary = "A batch has not ended for much longer than this query's batches take.",
    .severity = Severity::kWarning,
    .hold = std::chrono::minutes(1),
    .needs_kafka = false,
    .sees = Sees::kLogs};

class BatchStuck : public Detector {
 public:
  BatchStuck() : Detector(kInfo) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field("factor", factor_,
                  "How many times as long as its longest batch of late a batch may take.");
    visitor.Field("least", least_, "How long a batch may take in any case.");
    visitor.Field("without_rhythm", without_rhythm_,
                  "How long a batch may take while no batch of the query is known to have ended.");
    visitor.Field("abandoned", abandoned_,
                  "A batch that was this old when it was first seen belongs to no running query.");
  }

  std::vector<Finding> Check(const QueryView& query) const override {
    const Checkpoint& checkpoint = *query.checkpoint;
    const bool in_flight = checkpoint.newest_batch && !checkpoint.continuous &&
                           checkpoint.committed_batch.value_or(-1) < *checkpoint.newest_batch;
    if (!in_flight || !checkpoint.newest_batch_at) return {};
    const Duration age = query.now - *checkpoint.newest_batch_at;
    const auto longest = LongestBatch(query.remembered, checkpoint);
    if (age < LimitOf(longest) || IsAbandoned(query, age)) return {};
    return {Say(query, age, longest)};
  }

 private:
  Duration LimitOf(std::optional<Duration> longest) const {
    if (!longest) return without_rhythm_;
    const std::chrono::duration<double, std::milli> scaled = *longest * factor_;
    return std::max(least_, std::chrono::duration_cast<Duration>(scaled));
  }

  /// Nobody saw it advance: its query may have been gone for years.
  bool IsAbandoned(const QueryView& query, Duration age) const {
    return query.remembered.advanced_at == Time{} && age > abandoned_;
  }

  Finding Say(const QueryView& query, Duration age, std::optional<Duration> longest) const {
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    finding.batch = query.checkpoint->newest_batch;
    finding.records = RecordsWaiting(query.topics);
    finding.records_bound = Bound::kAtMost;
    const bool grows = finding.records && query.remembered.waiting >= 0 &&
                       *finding.records > query.remembered.waiting;
    if (grows && finding.severity == Severity::kWarning) finding.severity = Severity::kCritical;
    finding.summary = fmt::format(
        "Batch {} was planned {} ago and has not ended; {}.{}", *finding.batch, SayDuration(age),
        !query.checkpoint->committed_batch ? "no batch of this query ever has"
        : longest ? fmt::format("the longest of late took {}", SayDuration(*longest))
                  : "how long its batches take is not known",
        grows ? fmt::format(" Meanwhile {} records wait.", *finding.records) : "");
    return finding;
  }

  double factor_ = 4;
  Duration least_ = std::chrono::minutes(20);
  Duration without_rhythm_ = std::chrono::hours(2);
  Duration abandoned_ = std::chrono::hours(7 * 24);
};

}  // namespace

DetectorPtr MakeBatchStuck() { return std::make_unique<BatchStuck>(); }

}  // namespace tidegauge
