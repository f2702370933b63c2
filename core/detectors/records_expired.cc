// Log start > position, strictly: retention took records before they were read. The position is
// also the start of a batch in flight, so a crash loop that looks healthy by its newest file is
// found.
#include <fmt/core.h>

#include "core/detectors/detector.h"
#include "core/detectors/record_counts.h"

namespace tidegauge {
namespace {

constexpr DetectorInfo kInfo{
    .id = "records_expired",
    .summary = "Records between the position and the log start expired before they were read.",
    .severity = Severity::kCritical};

class RecordsExpired : public Detector {
 public:
  RecordsExpired() : Detector(kInfo) {}

  std::vector<Finding> Check(const QueryView& query) const override {
    std::vector<Finding> findings;
    for (const TopicComparison& topic : query.topics) {
      if (topic.belongs == Belongs::kEarlier) continue;
      Finding finding = MakeFinding(query, topic);
      for (const PartitionComparison& partition : topic.partitions) {
        if (!partition.position || !partition.log_start) continue;
        if (*partition.log_start <= *partition.position) continue;
        finding.partitions.push_back(RowOf(partition, *partition.log_start - *partition.position));
      }
      if (finding.partitions.empty()) continue;
      // Transaction markers and compaction take offsets that were never records.
      finding.records_bound = Bound::kAtMost;
      finding.records = SumRecords(finding.partitions);
      finding.batch = topic.in_flight_batch;
      finding.summary = fmt::format(
          "Of topic {}, {} expired before the query read them ({}). A restart fails; with "
          "failOnDataLoss=false it continues at the log start.",
          topic.topic, CountRecords(finding.records, finding.records_bound),
          NamePartitions(finding.partitions));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

DetectorPtr MakeRecordsExpired() { return std::make_unique<RecordsExpired>(); }

}  // namespace tidegauge
