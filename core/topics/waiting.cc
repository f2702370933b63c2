#include "core/topics/waiting.h"

#include <algorithm>

namespace tidegauge {

std::optional<std::int64_t> RecordsWaiting(const std::vector<TopicComparison>& topics) {
  if (topics.empty()) return std::nullopt;
  std::int64_t records = 0;
  for (const TopicComparison& topic : topics) {
    if (topic.belongs != Belongs::kCurrent) return std::nullopt;
    for (const PartitionComparison& partition : topic.partitions) {
      if (!partition.position) continue;
      if (!partition.log_end) return std::nullopt;
      records += std::max<std::int64_t>(0, *partition.log_end - *partition.position);
    }
  }
  return records;
}

}  // namespace tidegauge
