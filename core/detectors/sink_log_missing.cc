// The file sink's log holds no batch, though the checkpoint has committed some.
#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "sink_log_missing",
    .summary = "`_spark_metadata` is gone or empty, though the checkpoint has committed batches.",
    .severity = Severity::kCritical,
    .needs_kafka = false};

std::string Describe(const LogView& log) {
  if (log.log->exists) {
    return "is empty: readers through Spark see no rows, without an error";
  }
  if (!log.log->parent_exists) {
    return "is not there, and neither is the output directory: deleted, moved, or not mounted here";
  }
  return "is gone: readers through Spark see every file in the directory, those of failed "
         "attempts too; a running query fails at its next batch";
}

class SinkLogMissing : public Detector {
 public:
  SinkLogMissing() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const LogView& log : query.logs) {
      if (log.log == nullptr || !log.is_sink() || log.newest || !log.committed) continue;
      Finding finding = MakeFinding(query, log);
      finding.summary = fmt::format("{} {}. The checkpoint has committed batch {}.", log.log->path,
                                    Describe(log), *log.committed);
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeSinkLogMissing() { return std::make_unique<SinkLogMissing>(); }

}  // namespace tidegauge
