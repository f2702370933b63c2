// An offsets file that a restart needs is missing: that of the batch before the newest, or those of
// batches that have ended.
#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"
#include "core/detectors/restart_message.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "offset_log_gap",
                             .summary = "Offsets files that a restart needs are missing.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(1),
                             .needs_kafka = false,
                             .sees = Sees::kLogs};

class OffsetLogGap : public Detector {
 public:
  OffsetLogGap() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto damage = FirstDamage(
        query, {Damage::Kind::kOffsetsLost, Damage::Kind::kEpochLost, Damage::Kind::kCommitsAhead});
    if (!damage) return {};
    Finding finding = MakeFinding(query);
    SetDamage(finding, *damage);
    const bool ahead = damage->kind == Damage::Kind::kCommitsAhead;
    finding.summary = fmt::format(
        "{} is missing{}: a restart {} {}.", damage->file,
        ahead ? fmt::format(", though {}", damage->what) : "",
        ahead ? fmt::format("runs batch {} again and fails with", damage->batch) : "fails with",
        RestartMessage(*damage, query.path));
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeOffsetLogGap() { return std::make_unique<OffsetLogGap>(); }

}  // namespace tidegauge
