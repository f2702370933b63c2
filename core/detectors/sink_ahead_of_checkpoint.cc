// The sink's log has batches that the query has not planned yet: FileStreamSink.addBatch takes
// those for written, and Spark reads and commits them without writing a row.
#include <fmt/core.h>

#include "core/detectors/detector.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "sink_ahead_of_checkpoint",
    .summary = "The sink's log has batches that the checkpoint has not reached: they are dropped.",
    .severity = Severity::kCritical,
    .needs_kafka = false};

class SinkAheadOfCheckpoint : public Detector {
 public:
  SinkAheadOfCheckpoint() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const LogView& log : query.logs) {
      if (log.log == nullptr || !log.ahead) continue;
      Finding finding = MakeFinding(query, log);
      const BatchId first = query.checkpoint->newest_batch.value_or(-1) + 1;
      finding.batch = first;
      finding.summary = fmt::format(
          "{} already has batch {}, but the checkpoint is only at batch {}: Spark will read and "
          "commit {}, and write nothing, without an error. The checkpoint was deleted, replaced or "
          "restored, or another query writes to this directory.",
          log.log->path, *log.newest, first - 1,
          first == *log.newest ? fmt::format("batch {}", first)
                               : fmt::format("batches {} to {}", first, *log.newest));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeSinkAheadOfCheckpoint() { return std::make_unique<SinkAheadOfCheckpoint>(); }

}  // namespace tidegauge
