// A file that readers of the sink's output need is not in its log.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "sink_log_gap",
                             .summary = "The sink's log lacks a file that readers need now.",
                             .severity = Severity::kCritical,
                             .needs_kafka = false};

/// Files at the end of a log are not missed by readers: what is in them is.
bool OnlyTheEndIsGone(const LogView& log) {
  return *log.newest < log.committed.value_or(-1) &&
         log.gap.count == static_cast<std::size_t>(*log.committed - *log.newest);
}

class SinkLogGap : public Detector {
 public:
  SinkLogGap() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const LogView& log : query.logs) {
      if (log.log == nullptr || !log.is_sink() || log.gap.empty()) continue;
      Finding finding = MakeFinding(query, log);
      finding.missing = log.gap.names;
      finding.summary = fmt::format("{} lacks {}: ", log.log->path, NameFiles(log.gap));
      finding.summary +=
          OnlyTheEndIsGone(log)
              ? fmt::format("readers through Spark do not see what batches {} to {} wrote.",
                            *log.newest + 1, *log.committed)
              : fmt::format("readers through Spark fail with {}.", ReaderMessage(log));
      finding.summary += OtherIntervalHint(log, log.gap);
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeSinkLogGap() { return std::make_unique<SinkLogGap>(); }

}  // namespace tidegauge
