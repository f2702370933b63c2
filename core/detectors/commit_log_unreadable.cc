// The newest commit cannot be read. Its name alone says that the batch has ended, but a restart
// reads it all the same.
#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"
#include "core/detectors/restart_message.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "commit_log_unreadable",
                             .summary = "The newest commit is empty, torn or not Spark's.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(1),
                             .needs_kafka = false,
                             .sees = Sees::kLogs};

class CommitLogUnreadable : public Detector {
 public:
  CommitLogUnreadable() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto damage = FirstDamage(query, {Damage::Kind::kCommitUnreadable});
    if (!damage) return {};
    Finding finding = MakeFinding(query);
    SetDamage(finding, *damage);
    finding.summary = fmt::format("{} cannot be read ({}): a restart fails with {}.", damage->file,
                                  damage->what, RestartMessage(*damage, query.path));
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeCommitLogUnreadable() { return std::make_unique<CommitLogUnreadable>(); }

}  // namespace tidegauge
