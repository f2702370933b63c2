// How far a query is from the end of what it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/report.h"

namespace tidegauge {

/// In offsets, so an upper bound of records where the topic is compacted or written in
/// transactions. None is ever negative. A sum with an unknown part is unknown.
struct Lag {
  std::optional<std::int64_t> behind;   ///< from the position to the log end
  std::optional<std::int64_t> ahead;    ///< the position's excess over the log end
  std::optional<std::int64_t> expired;  ///< from the position to the log start: deleted unread
  /// Partitions that the checkpoint reads and Kafka gave no log start or log end for.
  std::size_t unknown_partitions = 0;
};

/// Partitions that the checkpoint does not know yet take no part in sums.
Lag LagOf(const PartitionReport& partition);
Lag LagOf(const TopicReport& topic);
Lag LagOf(const QueryReport& query);

}  // namespace tidegauge
