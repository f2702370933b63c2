// The next compaction of a log needs a file that is absent or cannot be read: the query dies of it,
// and dies again after every restart.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "compaction_will_fail",
    .summary = "The next compaction of a sink's or file source's log needs a file that is lost.",
    .severity = Severity::kCritical,
    .needs_kafka = false};

/// Which driver `failing` is about, and what becomes of the other, where there are two.
std::string WhichDriver(const LogView& log, const NextCompactionView& failing) {
  if (!log.running) return {};
  const bool is_restarted = &failing == &log.restarted;
  const NextCompactionView& other = is_restarted ? *log.running : log.restarted;
  return fmt::format(" So it is {} (interval {}); {} has interval {}, and its compaction at {} {}.",
                     is_restarted ? "after a restart" : "without a restart", failing.interval,
                     is_restarted ? "a driver that has run since before" : "a restarted driver",
                     other.interval, other.batch,
                     other.lacking.empty() ? "has what it needs" : "fails too");
}

class CompactionWillFail : public Detector {
 public:
  CompactionWillFail() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const LogView& log : query.logs) {
      if (log.log == nullptr) continue;
      if (const NextCompactionView* failing = log.failing()) {
        findings.push_back(Describe(query, log, *failing));
      }
    }
    return findings;
  }

 private:
  Finding Describe(const QueryView& query, const LogView& log,
                   const NextCompactionView& failing) const {
    Finding finding = MakeFinding(query, log);
    finding.batch = failing.batch;
    finding.batches_left = failing.batches_left;
    finding.expected_at = failing.expected_at;
    finding.missing = failing.lacking.names;
    finding.summary =
        fmt::format("{} compacts {} and will fail for want of {}: {}.{}",
                    NameCompaction(log, failing), NameLog(log), NameFiles(failing.lacking),
                    CompactionMessage(log, failing), WhichDriver(log, failing));
    finding.summary += OtherIntervalHint(log, failing.lacking);
    if (!log.is_sink() && !log.gap.empty()) {
      finding.summary += fmt::format(" A restart fails at once, with {}.", ReaderMessage(log));
    }
    return finding;
  }
};

}  // namespace

DetectorPtr MakeCompactionWillFail() { return std::make_unique<CompactionWillFail>(); }

}  // namespace tidegauge
