// The bootstrap servers answer with another cluster id: every offset in the checkpoint was written
// against another cluster.
#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "cluster_changed",
    .summary = "The bootstrap servers answer with another cluster id than before.",
    .severity = Severity::kCritical};

class ClusterChanged : public Detector {
 public:
  ClusterChanged() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const bool known = !query.cluster_id.empty() && !query.remembered_cluster_id.empty();
    if (!known || query.cluster_id == query.remembered_cluster_id) return {};
    Finding finding = MakeFinding(query);
    finding.summary = fmt::format(
        "The bootstrap servers of {} now answer as cluster {}; the checkpoint was written against "
        "{}. "
        "Its offsets mean nothing there. If the move was meant, correct the checkpoint, then "
        "'tidegauge ack'.",
        query.kafka_cluster, query.cluster_id, query.remembered_cluster_id);
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeClusterChanged() { return std::make_unique<ClusterChanged>(); }

}  // namespace tidegauge
