// The checkpoint has another query id than before, in the same directory. Holds until the old id is
// back, or somebody acknowledges the new one.
#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "query_id_changed",
                             .summary = "The checkpoint has another query id than before.",
                             .severity = Severity::kCritical,
                             .hold = Duration{},
                             .needs_kafka = false,
                             .sees = Sees::kLogs};

class QueryIdChanged : public Detector {
 public:
  QueryIdChanged() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const std::string& former = query.remembered.former_query_id;
    const std::string& present = query.checkpoint->query_id;
    if (former.empty() || present.empty()) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    finding.summary = fmt::format(
        "metadata has the query id {}; it was {}. Either the file was lost and Spark made up a new "
        "id "
        "(sinks that know repeated batches by it write them twice), or this is another checkpoint.",
        present, former);
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeQueryIdChanged() { return std::make_unique<QueryIdChanged>(); }

}  // namespace tidegauge
