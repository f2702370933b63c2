// A batch was planned twice. One driver never does that: it looks whether the file is there
// (HDFSMetadataLog.add). Of two that do so at the same moment, the second leaves its plan as a
// temporary file and dies of it; where the storage lets a rename replace a file, it replaces the
// plan of the first.
#include <vector>

#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "checkpoint_shared",
    .summary = "A batch was planned twice: two drivers write one checkpoint.",
    .severity = Severity::kCritical,
    .needs_kafka = false};

class CheckpointShared : public Detector {
 public:
  CheckpointShared() : Detector(kInfo) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field("sign_lasts", sign_lasts_,
                  "How long after the last sign of a second driver it is reported: a scheduler may "
                  "start it again.");
  }

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto& again = query.checkpoint->planned_again;
    const bool left_a_sign = again && query.now - again->planned_at < sign_lasts_;
    if (!left_a_sign && !Replaced(query)) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    finding.batch = left_a_sign ? again->batch : query.remembered.newest_batch;
    // Somebody who went back by one batch between two polls leaves the same.
    finding.confidence = left_a_sign ? Confidence::kCertain : Confidence::kLikely;
    finding.summary =
        left_a_sign ? fmt::format(
                          "Batch {} was planned again after another driver had planned it: two use "
                          "this checkpoint.",
                          *finding.batch)
                    : fmt::format(
                          "offsets/{} was written again after its batch had ended, with another "
                          "time: a second driver seems to use this checkpoint.",
                          *finding.batch);
    finding.summary +=
        " One of the two fails with \"Multiple streaming queries are concurrently using …\" or "
        "\"Multiple streaming jobs detected for …\".";
    return {finding};
  }

 private:
  /// Whether the plan of a batch that had ended is another than the one remembered.
  static bool Replaced(const QueryView& query) {
    const QueryMemory& memory = query.remembered;
    const bool ended_before =
        memory.newest_batch >= 0 && memory.committed_batch == memory.newest_batch;
    return ended_before && query.checkpoint->newest_batch == memory.newest_batch &&
           PlannedAnew(query.checkpoint->batch_times, memory);
  }

  /// The batch before it is still the one that was there: this is no other checkpoint.
  static bool PlannedAnew(const std::vector<BatchTime>& times, const QueryMemory& memory) {
    if (times.size() < 2 || times.back().batch != memory.newest_batch) return false;
    return times.back().planned_at > memory.planned_at &&
           times[times.size() - 2].planned_at < memory.planned_at;
  }

  Duration sign_lasts_ = std::chrono::minutes(15);
};

}  // namespace

DetectorPtr MakeCheckpointShared() { return std::make_unique<CheckpointShared>(); }

}  // namespace tidegauge
