// A data file has another size than the log says, by which Spark reads it (FileStatus of the log).
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

// The sizes that a network file system keeps may be older than the file by some 60 s.
constexpr DetectorInfo kInfo{.id = "sink_file_truncated",
                             .summary = "Data files have another size than the sink's log says.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(2),
                             .needs_kafka = false,
                             .sees = Sees::kDataFiles};

class SinkFileTruncated : public Detector {
 public:
  SinkFileTruncated() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    if (query.data_files == nullptr || query.data_files->truncated.empty()) return {};
    const DataFiles& files = *query.data_files;
    Finding finding = MakeSinkFinding(query);
    finding.missing = files.truncated.names;
    finding.summary = fmt::format(
        "{} of {} data files have another size than the sink's log says: {}. They were cut short "
        "or written over; readers through Spark fail on them, or read what is not whole.",
        files.truncated.count, files.listed, files.truncated_example);
    return {std::move(finding)};
  }
};

}  // namespace

DetectorPtr MakeSinkFileTruncated() { return std::make_unique<SinkFileTruncated>(); }

}  // namespace tidegauge
