// A batch file has other sources than the batches before: it was cut between its lines, or edited.
// Spark itself never changes their number.
#include <fmt/core.h>

#include "core/detectors/damage_finding.h"
#include "core/detectors/detector.h"
#include "core/detectors/restart_message.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "source_count_changed",
    .summary = "A batch file has more or fewer sources than the batches before.",
    .severity = Severity::kCritical,
    .hold = std::chrono::minutes(1),
    .needs_kafka = false,
    .sees = Sees::kLogs};

class SourceCountChanged : public Detector {
 public:
  SourceCountChanged() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    const auto damage = FirstDamage(query, {Damage::Kind::kSourcesChanged});
    const std::string seen = damage ? "" : DiffersFromMemory(query);
    if (!damage && seen.empty()) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    if (damage) finding.batch = damage->batch;
    // Version 2 leaves out a source that is no part of the query any more.
    if (damage && damage->what.starts_with("source '")) finding.confidence = Confidence::kLikely;
    finding.summary = fmt::format(
        "{}: it was cut short or edited, or the query has other sources now. A restart fails with "
        "{}.",
        damage ? fmt::format("{}: {}", damage->file, damage->what) : seen,
        RestartMessage({.kind = Damage::Kind::kSourcesChanged}, query.path));
    return {finding};
  }

 private:
  static std::string DiffersFromMemory(const QueryView& query) {
    const auto before = query.remembered.source_lines;
    const auto now = static_cast<std::int64_t>(query.checkpoint->source_lines);
    const bool same_batches =
        query.checkpoint->newest_batch.value_or(-1) >= query.remembered.newest_batch &&
        query.checkpoint->committed_batch.value_or(-1) <= query.remembered.committed_batch;
    if (before == 0 || now == 0 || before == now || !same_batches) return {};
    return fmt::format("the batch that a restart begins from has {} source lines, where it had {}",
                       now, before);
  }
};

}  // namespace

DetectorPtr MakeSourceCountChanged() { return std::make_unique<SourceCountChanged>(); }

}  // namespace tidegauge
