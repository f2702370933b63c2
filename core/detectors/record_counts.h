// The few phrases that summaries share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model.h"
#include "core/topics/comparison.h"

namespace tidegauge {

/// `partition` as a row of a finding, with the `records` that it counts.
FindingPartition RowOf(const PartitionComparison& partition,
                       std::optional<std::int64_t> records = std::nullopt);

/// Adds up the records of the finding's partitions; absent when one of them has no number.
std::optional<std::int64_t> SumRecords(const std::vector<FindingPartition>& partitions);

/// "500 records", "1 record", "at most 500 records", "an unknown number of records".
std::string CountRecords(std::optional<std::int64_t> records, Bound bound = Bound::kExact);

/// "partition 0", "partitions 0, 2 and 5", "12 partitions (0, 1, 2, …)".
std::string NamePartitions(const std::vector<FindingPartition>& partitions);

}  // namespace tidegauge
