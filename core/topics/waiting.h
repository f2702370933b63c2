// How many records a query has yet to read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/topics/comparison.h"

namespace tidegauge {

/// Between positions and log ends, over all topics. Absent: some of it is not known, or has no
/// meaning, because a topic was recreated.
std::optional<std::int64_t> RecordsWaiting(const std::vector<TopicComparison>& topics);

}  // namespace tidegauge
