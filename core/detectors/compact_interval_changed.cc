// Which batches compact is settled at a driver's start, from the names of the compact files: a
// restart would settle on another interval than the running driver has, or keeps another one than
// is configured.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "compact_interval_changed",
    .summary =
        "A restart would compact the log at another interval than before, or than configured.",
    .severity = Severity::kInfo,
    .needs_kafka = false};

class CompactIntervalChanged : public Detector {
 public:
  CompactIntervalChanged() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const LogView& log : query.logs) {
      if (log.log == nullptr) continue;
      std::string summary = Describe(log);
      if (summary.empty()) continue;
      Finding finding = MakeFinding(query, log);
      finding.batch = log.restarted.batch;
      finding.summary = std::move(summary);
      findings.push_back(std::move(finding));
    }
    return findings;
  }

 private:
  static std::string Describe(const LogView& log) {
    const char* unit = log.is_sink() ? "batches" : "entries";
    if (log.running) {
      return fmt::format(
          "A restart would compact {} every {} {} instead of {}, next at {}: Spark derives the "
          "interval from the compact files that are left.",
          NameLog(log), log.restarted.interval, unit, log.running->interval, log.restarted.batch);
    }
    if (log.log->setting == 0 || log.log->configured == log.log->interval) return {};
    return fmt::format(
        "{} compacts every {} {}, not every {} as configured: Spark keeps the interval of the "
        "compact files that are there. The next compaction is at {}.",
        log.log->path, log.log->interval, unit, log.log->configured, log.restarted.batch);
  }
};

}  // namespace

DetectorPtr MakeCompactIntervalChanged() { return std::make_unique<CompactIntervalChanged>(); }

}  // namespace tidegauge
