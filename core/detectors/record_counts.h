// The few phrases that summaries share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model.h"

namespace tidegauge {

/// Adds up the records of the finding's partitions; a partition without a number makes the sum a
/// bound from below unknown, so the sum is then absent.
std::optional<std::int64_t> SumRecords(const std::vector<FindingPartition>& partitions);

/// "500 records", "1 record", "at most 500 records", "an unknown number of records".
std::string CountRecords(std::optional<std::int64_t> records, Bound bound = Bound::kExact);

/// "partition 0", "partitions 0, 2 and 5", "12 partitions (0, 1, 2, …)".
std::string NamePartitions(const std::vector<FindingPartition>& partitions);

}  // namespace tidegauge
