// Each compaction rewrites all that the log still lists, in the driver's memory: the next compact
// file passes a size at which that hurts.
#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/log_texts.h"
#include "core/history/compact_growth.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{.id = "compact_log_large",
                             .summary = "The next compact file of a log passes the threshold.",
                             .severity = Severity::kWarning,
                             .needs_kafka = false};

std::string Megabytes(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

const char* NameUnit(const LogView& log) { return log.is_sink() ? "batch" : "entry"; }

class CompactLogLarge : public Detector {
 public:
  CompactLogLarge() : Detector(kInfo) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field("threshold_bytes", threshold_, "Size of a compact file that is worth a word.");
    visitor.Field("critical_bytes", critical_, "Size from which on it is critical.");
  }

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const LogView& log : query.logs) {
      if (log.log == nullptr || log.log->compacts.empty()) continue;
      if (auto finding = CheckLog(query, log)) findings.push_back(std::move(*finding));
    }
    return findings;
  }

 private:
  std::optional<Finding> CheckLog(const QueryView& query, const LogView& log) const {
    const CompactFile& newest = log.log->compacts.front();
    const auto bytes = static_cast<std::int64_t>(newest.bytes);
    const std::int64_t growth = log.growth ? std::max(log.growth->bytes, std::int64_t{0}) : 0;
    const std::int64_t next = bytes + growth;
    if (next < threshold_) return std::nullopt;
    Finding finding = MakeFinding(query, log);
    if (next >= critical_) finding.severity = Severity::kCritical;
    finding.batch = log.restarted.batch;
    finding.batches_left = log.restarted.batches_left;
    if (bytes < threshold_) finding.expected_at = log.restarted.expected_at;
    finding.summary = fmt::format(
        "{}/{}.compact has {}{}: {} {} will read and write all of it in the driver.", log.log->path,
        newest.batch, Megabytes(bytes),
        growth > 0 ? fmt::format(" and grows by {} a compaction", Megabytes(growth)) : "",
        NameUnit(log), log.restarted.batch);
    if (next < critical_) finding.summary += WhenCritical(query, log);
    return finding;
  }

  std::string WhenCritical(const QueryView& query, const LogView& log) const {
    const auto reached = WhenReached(critical_, log, *query.checkpoint, query.now);
    if (!reached) return {};
    const auto& [batch, at] = *reached;
    return fmt::format(
        " At this rate {} {} passes {}{}.", NameUnit(log), batch, Megabytes(critical_),
        at ? fmt::format(", about {:%F}", std::chrono::floor<std::chrono::days>(*at)) : "");
  }

  // Some 400,000 entries: a compaction then takes seconds, and hundreds of MB of the driver's heap.
  std::int64_t threshold_ = 128 << 20;
  std::int64_t critical_ = 1 << 30;
};

}  // namespace

DetectorPtr MakeCompactLogLarge() { return std::make_unique<CompactLogLarge>(); }

}  // namespace tidegauge
