// A log file of a Spark that is newer than this program: what it says is not known, and no older
// Spark can start on it.
#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"
#include "core/detectors/restart_message.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "log_version_unsupported",
                             .summary = "A log file has a version that this program does not know.",
                             .severity = Severity::kWarning,
                             .hold = Duration{},
                             .needs_kafka = false,
                             .sees = Sees::kLogs};

class LogVersionUnsupported : public Detector {
 public:
  LogVersionUnsupported() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto damage = FirstDamage(query, {Damage::Kind::kVersion});
    if (!damage) return {};
    Finding finding = MakeFinding(query);
    SetDamage(finding, *damage);
    finding.summary =
        fmt::format("{} is of a newer Spark ({}). An older Spark fails on it with {}.",
                    damage->file, damage->what, RestartMessage(*damage, query.path));
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeLogVersionUnsupported() { return std::make_unique<LogVersionUnsupported>(); }

}  // namespace tidegauge
