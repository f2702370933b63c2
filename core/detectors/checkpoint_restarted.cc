// The newest batch lies below one that was seen to have ended: the checkpoint began again, or an
// older copy was put back. Holds until the batches have caught up, or somebody acknowledges it.
#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "checkpoint_restarted",
                             .summary = "The newest batch lies below one that had already ended.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(1),
                             .needs_kafka = false,
                             .sees = Sees::kLogs};

class CheckpointRestarted : public Detector {
 public:
  CheckpointRestarted() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto newest = query.checkpoint->newest_batch;
    const BatchId before = query.remembered.committed_batch;
    if (!newest || *newest >= before) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    finding.batch = newest;
    finding.summary = fmt::format(
        "The newest batch is {0}, but batch {1} had already ended: {2}. Records are read again or "
        "passed over, and a file sink drops every batch up to {1} in silence.",
        *newest, before,
        query.remembered.former_query_id.empty()
            ? "the query was set back, or an older copy was put in place"
            : "another checkpoint has begun in this directory");
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeCheckpointRestarted() { return std::make_unique<CheckpointRestarted>(); }

}  // namespace tidegauge
