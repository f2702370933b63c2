// An offsets file that a restart reads cannot be read: that of the newest batch, of the batch
// before it, or the initial offsets where nothing has been committed.
#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"
#include "core/detectors/restart_message.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "offset_log_unreadable",
    .summary = "An offsets file that a restart reads is empty, torn or not Spark's.",
    .severity = Severity::kCritical,
    .hold = std::chrono::minutes(1),
    .needs_kafka = false,
    .sees = Sees::kLogs};

class OffsetLogUnreadable : public Detector {
 public:
  OffsetLogUnreadable() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto damage = FirstDamage(query, {Damage::Kind::kOffsetsUnreadable});
    if (!damage) return {};
    Finding finding = MakeFinding(query);
    SetDamage(finding, *damage);
    finding.summary = fmt::format("{} cannot be read ({}): a restart fails with {}.", damage->file,
                                  damage->what, RestartMessage(*damage, query.path));
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeOffsetLogUnreadable() { return std::make_unique<OffsetLogUnreadable>(); }

}  // namespace tidegauge
