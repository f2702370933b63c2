// The log lists a data file that is not there: readers through Spark fail when they come to it.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

// The names that a network file system keeps may be older than the file by some 60 s.
constexpr DetectorInfo kInfo{.id = "sink_file_missing",
                             .summary = "The sink's log lists data files that are not there.",
                             .severity = Severity::kCritical,
                             .hold = std::chrono::minutes(2),
                             .needs_kafka = false,
                             .sees = Sees::kDataFiles};

class SinkFileMissing : public Detector {
 public:
  SinkFileMissing() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    if (query.data_files == nullptr || query.data_files->missing.empty()) return {};
    const DataFiles& files = *query.data_files;
    Finding finding = MakeSinkFinding(query);
    finding.missing = files.missing.names;
    finding.summary = fmt::format(
        "The sink's log lists {} of {} data files that are not there: {}. Readers through Spark "
        "fail (FileNotFoundException), unless they ignore missing files: then rows are missing.",
        files.missing.count, files.listed, NameFiles(files.missing));
    return {std::move(finding)};
  }
};

}  // namespace

DetectorPtr MakeSinkFileMissing() { return std::make_unique<SinkFileMissing>(); }

}  // namespace tidegauge
