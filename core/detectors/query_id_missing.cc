// The file `metadata`, which has the query's id, is missing or unreadable though there are batches.
#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "query_id_missing",
                             .summary = "The checkpoint has batches, but no readable query id.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(1),
                             .needs_kafka = false,
                             .sees = Sees::kLogs};

class QueryIdMissing : public Detector {
 public:
  QueryIdMissing() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const Checkpoint& checkpoint = *query.checkpoint;
    const auto damage = FirstDamage(query, {Damage::Kind::kMetadataUnreadable});
    const bool has_batches = checkpoint.newest_batch || checkpoint.committed_batch;
    if (!damage && (checkpoint.has_metadata || !has_batches)) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    finding.summary =
        damage
            ? fmt::format("metadata cannot be read ({}): a restart fails.", damage->what)
            : "metadata is missing: Spark up to 4.1 makes up a new query id in silence, and sinks "
              "that know repeated batches by it write them twice; Spark 4.2 refuses with "
              "[STREAMING_CHECKPOINT_MISSING_METADATA_FILE].";
    const std::string& id = query.remembered.query_id;
    if (!id.empty()) finding.summary += fmt::format(R"( It had {{"id":"{}"}}.)", id);
    return {finding};
  }
};

}  // namespace

DetectorPtr MakeQueryIdMissing() { return std::make_unique<QueryIdMissing>(); }

}  // namespace tidegauge
