// Data files that the log does not list: of attempts that failed, or of another writer. Readers
// through Spark do not see them, all others do.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "sink_orphan_files",
                             .summary = "Data files are there that the sink's log does not list.",
                             .severity = Severity::kWarning,
                             .needs_kafka = false,
                             .sees = Sees::kDataFiles};

class SinkOrphanFiles : public Detector {
 public:
  SinkOrphanFiles() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    if (query.data_files == nullptr || query.data_files->orphans.empty()) return {};
    const DataFiles& files = *query.data_files;
    Finding finding = MakeSinkFinding(query);
    // What a retried batch left is older than what it wrote in the end.
    if (files.orphans_are_newest) finding.severity = std::min(severity(), Severity::kInfo);
    finding.missing = files.orphans.names;
    finding.summary = fmt::format(
        "{} data files ({} bytes) are not in the sink's log: {}. {} Readers through Spark do not "
        "see them; whatever reads the directory itself does, and may count rows twice.",
        files.orphans.count, files.orphan_bytes, NameFiles(files.orphans),
        files.orphans_are_newest
            ? "The newest is younger than every file of the log: something else writes here, or a "
              "batch was given up."
            : "Attempts that failed left them, or something else wrote them.");
    return {std::move(finding)};
  }
};

}  // namespace

DetectorPtr MakeSinkOrphanFiles() { return std::make_unique<SinkOrphanFiles>(); }

}  // namespace tidegauge
