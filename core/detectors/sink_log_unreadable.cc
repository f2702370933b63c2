// A file of the sink's log is empty, torn or not Spark's. Since Spark 3.1 the query does not notice
// before the next compaction.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "sink_log_unreadable",
                             .summary = "A file of the sink's log is empty, torn or not Spark's.",
                             .severity = Severity::kCritical,
                             .needs_kafka = false};

class SinkLogUnreadable : public Detector {
 public:
  SinkLogUnreadable() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const LogView& log : query.logs) {
      if (log.log == nullptr || !log.is_sink()) continue;
      Finding finding = MakeFinding(query, log);
      const LogFileCheck* first = nullptr;
      for (const CheckedLogFile& file : log.log->checked) {
        if (file.check.fault == LogFileFault::kNone) continue;
        if (first == nullptr) first = &file.check;
        finding.missing.push_back(file.name);
      }
      if (first == nullptr) continue;
      finding.summary = Describe(log, *first, finding);
      findings.push_back(std::move(finding));
    }
    return findings;
  }

 private:
  static std::string Describe(const LogView& log, const LogFileCheck& first, Finding& finding) {
    LackingFiles files{.names = finding.missing, .count = finding.missing.size()};
    std::string text =
        files.count == 1
            ? fmt::format("{}/{} cannot be read: {}.", log.log->path, files.names[0], first.why)
            : fmt::format("{} has files that cannot be read: {}. Of {}: {}.", log.log->path,
                          NameFiles(files), files.names[0], first.why);
    text += " Readers through Spark fail now";
    const NextCompactionView* failing = log.failing();
    if (failing == nullptr) return text + ".";
    finding.batch = failing->batch;
    finding.batches_left = failing->batches_left;
    finding.expected_at = failing->expected_at;
    return text +
           fmt::format("; the query fails at batch {}, which compacts the log.", failing->batch);
  }
};

}  // namespace

DetectorPtr MakeSinkLogUnreadable() { return std::make_unique<SinkLogUnreadable>(); }

}  // namespace tidegauge
