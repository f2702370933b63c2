// The checkpoint's directory is not there, though it was, or though the configuration names it.
#include <algorithm>

#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "checkpoint_missing",
                             .summary = "The checkpoint's directory is not there.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(1),
                             .needs_kafka = false,
                             .sees = Sees::kDirectory};

class CheckpointMissing : public Detector {
 public:
  CheckpointMissing() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    if (!query.checkpoint_missing || IsTemporary(query.path)) return {};
    Finding finding = MakeFinding(query);
    finding.key.kafka_cluster.clear();
    const BatchId batch = query.remembered.committed_batch;
    if (query.remembered == QueryMemory{}) {
      finding.severity = std::min(finding.severity, Severity::kWarning);
      finding.summary = fmt::format(
          "{} is not there and has not been seen before: the query never ran, or the path is "
          "wrong.",
          query.path);
      return {finding};
    }
    if (batch >= 0) finding.batch = batch;
    finding.summary = fmt::format(
        "{} is gone{}. A restart begins anew at startingOffsets; a file sink then drops every "
        "batch "
        "that it already has, in silence.",
        query.path, batch < 0 ? "" : fmt::format(", with batch {} the last that had ended", batch));
    return {finding};
  }

 private:
  /// Spark makes such a directory for a query without checkpointLocation, and removes it when the
  /// query stops (StreamExecution).
  static bool IsTemporary(std::string_view path) {
    return path.substr(path.rfind('/') + 1).starts_with("temporary-");
  }
};

}  // namespace

DetectorPtr MakeCheckpointMissing() { return std::make_unique<CheckpointMissing>(); }

}  // namespace tidegauge
