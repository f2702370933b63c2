// Entries of the log are whole paths: after a move of the directory the old ones still point to
// where it was, and a reader of the new place passes over them
// (PartitioningAwareFileIndex.allFiles).
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "sink_path_outside_root",
    .summary = "The sink's log lists files outside the directory that the query writes to.",
    .severity = Severity::kCritical,
    .needs_kafka = false,
    .sees = Sees::kDataFiles};

class SinkPathOutsideRoot : public Detector {
 public:
  SinkPathOutsideRoot() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    if (query.data_files == nullptr || query.data_files->outside.empty()) return {};
    const DataFiles& files = *query.data_files;
    Finding finding = MakeSinkFinding(query);
    finding.missing = files.outside.names;
    finding.summary = fmt::format(
        "The query writes to {}, but {} of {} entries of the sink's log point elsewhere: {}. The "
        "directory was moved or copied. Readers through Spark miss the rows of those, without an "
        "error.",
        files.root, files.outside.count, files.listed, NameFiles(files.outside));
    return {std::move(finding)};
  }
};

}  // namespace

DetectorPtr MakeSinkPathOutsideRoot() { return std::make_unique<SinkPathOutsideRoot>(); }

}  // namespace tidegauge
