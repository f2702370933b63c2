// A batch that had ended was planned anew under its number. One driver never does that: it looks
// whether the file is there (HDFSMetadataLog.add). Two do, where the storage lets a rename replace
// a file; where it does not, the second driver dies of it and leaves no trace.
#include <vector>

#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "checkpoint_shared",
    .summary = "A batch that had ended was planned anew: two drivers write one checkpoint.",
    .severity = Severity::kCritical,
    .needs_kafka = false};

class CheckpointShared : public Detector {
 public:
  CheckpointShared() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const Checkpoint& checkpoint = *query.checkpoint;
    const QueryMemory& memory = query.remembered;
    const bool ended_before =
        memory.newest_batch >= 0 && memory.committed_batch == memory.newest_batch;
    if (!ended_before || checkpoint.newest_batch != memory.newest_batch) return {};
    if (!PlannedAnew(checkpoint.batch_times, memory)) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    finding.batch = memory.newest_batch;
    // Somebody who went back by one batch between two polls leaves the same.
    finding.confidence = Confidence::kLikely;
    finding.summary = fmt::format(
        "offsets/{} was written again after its batch had ended, with another time: a second "
        "driver "
        "seems to use this checkpoint. One of the two will fail with \"Multiple streaming jobs "
        "detected for …\" or \"Multiple streaming queries are concurrently using …\".",
        *finding.batch);
    return {finding};
  }

 private:
  /// The batch before it is still the one that was there: this is no other checkpoint.
  static bool PlannedAnew(const std::vector<BatchTime>& times, const QueryMemory& memory) {
    if (times.size() < 2 || times.back().batch != memory.newest_batch) return false;
    return times.back().planned_at > memory.planned_at &&
           times[times.size() - 2].planned_at < memory.planned_at;
  }
};

}  // namespace

DetectorPtr MakeCheckpointShared() { return std::make_unique<CheckpointShared>(); }

}  // namespace tidegauge
