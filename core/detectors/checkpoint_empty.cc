// The checkpoint's directory is there, but nothing of the checkpoint that was seen in it.
#include <algorithm>

#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "checkpoint_empty",
    .summary = "The checkpoint's directory is there, but what was in it is gone.",
    .severity = Severity::kCritical,
    .hold = std::chrono::minutes(1),
    .needs_kafka = false,
    .sees = Sees::kLogs};

class CheckpointEmpty : public Detector {
 public:
  CheckpointEmpty() : Detector(kInfo) {}

  /// A directory in which no checkpoint was ever seen is only unknown: it may be no checkpoint at
  /// all.
  std::vector<Finding> Check(const QueryView& query) const override {
    const auto damage = FirstDamage(query, {Damage::Kind::kEmpty});
    if (!damage || query.remembered.newest_batch < 0) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    const BatchId batch = std::max(query.remembered.committed_batch, query.remembered.newest_batch);
    finding.batch = batch;
    finding.summary = fmt::format(
        "{} has neither offsets, sources nor metadata any more; batch {} was there. A restart "
        "begins "
        "anew at startingOffsets; a file sink then drops every batch that it already has, in "
        "silence.",
        query.path, batch);
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeCheckpointEmpty() { return std::make_unique<CheckpointEmpty>(); }

}  // namespace tidegauge
