// The offsets log is empty, though batches have ended: the commits, the state or this program's
// memory know of them.
#include <algorithm>

#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "offsets_missing",
                             .summary = "The offsets log is empty, though batches have ended.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(1),
                             .needs_kafka = false,
                             .sees = Sees::kLogs};

class OffsetsMissing : public Detector {
 public:
  OffsetsMissing() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto damage = FirstDamage(query, {Damage::Kind::kOffsetsGone});
    const BatchId remembered = query.remembered.committed_batch;
    const bool gone = query.checkpoint->position_known && !query.checkpoint->newest_batch;
    if (!damage && (!gone || remembered < 0)) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    const BatchId batch = std::max(remembered, damage ? damage->batch : -1);
    if (batch >= 0) finding.batch = batch;
    finding.summary = fmt::format(
        "offsets is empty, though {}. A restart begins again at batch 0, from the initial offsets: "
        "up to Spark 4.0 it fails when it meets an old commit ({}), or goes on over old state; "
        "Spark 4.1 fails at once ([STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY]), Spark 4.2 with "
        "\"assertion failed\".",
        damage ? damage->what : fmt::format("batch {} had ended", batch),
        "\"… Multiple streaming jobs detected for …\"");
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeOffsetsMissing() { return std::make_unique<OffsetsMissing>(); }

}  // namespace tidegauge
