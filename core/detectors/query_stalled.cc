// No new batch comes, though records wait, for longer than this query rests between batches.
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
    .id = "query_stalled",
    .summary = "No new batch has come for much longer than usual, though records wait.",
    .severity = Severity::kWarning,
    .hold = std::chrono::minutes(1),
    .needs_kafka = false,
    .sees = Sees::kLag};

class QueryStalled : public Detector {
 public:
  QueryStalled() : Detector(kInfo) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field(
        "factor", factor_,
        "How many times as long as it usually rests a query may rest while records wait.");
    visitor.Field("least", least_, "How long it may rest in any case.");
    visitor.Field("without_rhythm", without_rhythm_,
                  "How long it may rest while it has not planned enough batches to know.");
    visitor.Field("least_records", least_records_,
                  "How many records must wait where their number does not grow: transactions leave "
                  "a few that nobody can read.");
    visitor.Field("abandoned", abandoned_,
                  "A query that had rested this long when it was first seen does not run.");
  }

  std::vector<Finding> Check(const QueryView& query) const override {
    const Checkpoint& checkpoint = *query.checkpoint;
    const bool at_rest =
        checkpoint.newest_batch && checkpoint.newest_batch == checkpoint.committed_batch;
    const auto waiting = RecordsWaiting(query.topics);
    if (!at_rest || !checkpoint.newest_batch_at || waiting.value_or(0) == 0) return {};
    const bool grows = query.remembered.waiting >= 0 && *waiting > query.remembered.waiting;
    if (!grows && *waiting < least_records_) return {};
    const Duration age = query.now - *checkpoint.newest_batch_at;
    // While there was nothing to read it had no reason to go on.
    const Duration rest = std::min(age, query.now - query.remembered.advanced_at);
    const auto usual = UsualPause(query.remembered, checkpoint);
    if (rest < LimitOf(usual) || IsAbandoned(query, age)) return {};
    Finding finding = MakeFinding(query);
    finding.batch = checkpoint.newest_batch;
    finding.records = waiting;
    finding.records_bound = Bound::kAtMost;
    if (grows && finding.severity == Severity::kWarning) finding.severity = Severity::kCritical;
    finding.summary = fmt::format(
        "Batch {} was planned {} ago, and no other since{}. {} records wait{}.", *finding.batch,
        SayDuration(age),
        usual ? fmt::format(", though it rests up to {} usually", SayDuration(*usual)) : "",
        *waiting, grows ? ", and more come" : "");
    return {finding};
  }

 private:
  Duration LimitOf(std::optional<Duration> usual) const {
    if (!usual) return without_rhythm_;
    const std::chrono::duration<double, std::milli> scaled = *usual * factor_;
    return std::max(least_, std::chrono::duration_cast<Duration>(scaled));
  }

  bool IsAbandoned(const QueryView& query, Duration rest) const {
    return query.remembered.advanced_at == Time{} && rest > abandoned_;
  }

  double factor_ = 3;
  Duration least_ = std::chrono::minutes(30);
  Duration without_rhythm_ = std::chrono::hours(36);
  std::int64_t least_records_ = 1000;
  Duration abandoned_ = std::chrono::hours(7 * 24);
};

}  // namespace

DetectorPtr MakeQueryStalled() { return std::make_unique<QueryStalled>(); }

}  // namespace tidegauge
