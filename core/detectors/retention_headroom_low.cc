// At the rates measured of late, the log start reaches the position within the horizon.
#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "retention_headroom_low",
    .summary = "At the measured rates, retention reaches the position within the horizon.",
    .severity = Severity::kWarning,
    .hold = std::chrono::minutes(10)};

/// A query that keeps pace moves as fast as the log start; the two are measured a little apart.
constexpr double kKeepsPace = 1.2;

/// Whether the query will have read all that is there now before the log start has passed where it
/// stands. Then the two rates say nothing: they also differ where less is written than some hours
/// ago, which a short retention takes away now.
bool ReadsInTime(const PartitionComparison& partition, double seconds_standing) {
  const double unread = static_cast<double>(*partition.log_end - *partition.position);
  return unread < *partition.position_rate * seconds_standing;
}

/// Seconds until the log start passes the position; absent: it does not, or it is not known.
std::optional<double> SecondsLeft(const PartitionComparison& partition) {
  if (!partition.position || !partition.log_start || !partition.log_end) return std::nullopt;
  if (!partition.log_start_rate || !partition.position_rate) return std::nullopt;
  const bool something_unread = *partition.log_end > *partition.position;
  const bool not_yet_lost = *partition.log_start <= *partition.position;
  if (!something_unread || !not_yet_lost) return std::nullopt;
  const double lately = partition.position_rate_lately.value_or(*partition.position_rate);
  const double query_rate = std::max(0.0, lately);
  if (*partition.log_start_rate <= query_rate * kKeepsPace) return std::nullopt;
  const auto headroom = static_cast<double>(*partition.position - *partition.log_start + 1);
  if (ReadsInTime(partition, headroom / *partition.log_start_rate)) return std::nullopt;
  return headroom / (*partition.log_start_rate - query_rate);
}

class RetentionHeadroomLow : public Detector {
 public:
  RetentionHeadroomLow() : Detector(kInfo) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field("horizon", horizon_, "How far ahead a loss is foretold.");
  }

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const TopicComparison& topic : query.topics) {
      if (topic.belongs != Belongs::kCurrent) continue;
      if (auto finding = CheckTopic(query, topic)) findings.push_back(std::move(*finding));
    }
    return findings;
  }

 private:
  std::optional<Finding> CheckTopic(const QueryView& query, const TopicComparison& topic) const {
    const double horizon = std::chrono::duration<double>(horizon_).count();
    Finding finding = MakeFinding(query, topic);
    std::optional<double> soonest;
    for (const PartitionComparison& partition : topic.partitions) {
      const auto seconds = SecondsLeft(partition);
      if (!seconds || *seconds > horizon) continue;
      soonest = soonest ? std::min(*soonest, *seconds) : *seconds;
      finding.partitions.push_back(RowOf(partition));
    }
    if (!soonest) return std::nullopt;
    finding.expected_at =
        query.now + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*soonest));
    finding.summary = fmt::format(
        "At the present rates, unread records of topic {} begin to expire in about {:.1f} h ({}).",
        topic.topic, *soonest / 3600, NamePartitions(finding.partitions));
    return finding;
  }

  Duration horizon_ = std::chrono::hours(6);
};

}  // namespace

DetectorPtr MakeRetentionHeadroomLow() { return std::make_unique<RetentionHeadroomLow>(); }

}  // namespace tidegauge
