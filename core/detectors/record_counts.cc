#include "core/detectors/record_counts.h"

#include <fmt/core.h>

namespace tidegauge {

FindingPartition RowOf(const PartitionComparison& partition, std::optional<std::int64_t> records) {
  return {.partition = partition.partition,
          .checkpoint = partition.position,
          .log_start = partition.log_start,
          .log_end = partition.log_end,
          .records = records};
}

std::optional<std::int64_t> SumRecords(const std::vector<FindingPartition>& partitions) {
  std::int64_t sum = 0;
  for (const FindingPartition& partition : partitions) {
    if (!partition.records) return std::nullopt;
    sum += *partition.records;
  }
  return sum;
}

std::string CountRecords(std::optional<std::int64_t> records, Bound bound) {
  if (!records) return "an unknown number of records";
  return fmt::format("{}{} {}", bound == Bound::kAtMost ? "at most " : "", *records,
                     *records == 1 ? "record" : "records");
}

std::string NamePartitions(const std::vector<FindingPartition>& partitions) {
  constexpr std::size_t kMost = 4;
  if (partitions.empty()) return "no partition";
  if (partitions.size() == 1) return fmt::format("partition {}", partitions.front().partition);
  std::string names;
  for (std::size_t i = 0; i < partitions.size() && i < kMost; ++i) {
    const bool last = i + 1 == partitions.size();
    names += fmt::format("{}{}", i == 0 ? "" : (last ? " and " : ", "), partitions[i].partition);
  }
  if (partitions.size() <= kMost) return fmt::format("partitions {}", names);
  return fmt::format("{} partitions ({}, …)", partitions.size(), names);
}

}  // namespace tidegauge
