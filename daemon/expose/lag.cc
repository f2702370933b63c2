#include "daemon/expose/lag.h"

#include <algorithm>
#include <limits>

namespace tidegauge {
namespace {

using Count = std::optional<std::int64_t>;

// A checkpoint may hold any int64, whatever Kafka would say of it.
Count Excess(std::optional<Offset> larger, std::optional<Offset> smaller) {
  if (!larger || !smaller) return std::nullopt;
  if (*larger <= *smaller) return 0;
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(*larger, *smaller, &difference)) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return difference;
}

void AddTo(Count& sum, Count part) {
  if (!sum) return;
  if (!part) {
    sum.reset();
  } else if (__builtin_add_overflow(*sum, *part, &*sum)) {
    sum = std::numeric_limits<std::int64_t>::max();
  }
}

void AddTo(Lag& sum, const Lag& part) {
  AddTo(sum.behind, part.behind);
  AddTo(sum.ahead, part.ahead);
  AddTo(sum.expired, part.expired);
  sum.unknown_partitions += part.unknown_partitions;
}

bool HasPosition(const TopicReport& topic) {
  return std::ranges::any_of(topic.partitions,
                             [](const PartitionReport& p) { return p.position.has_value(); });
}

constexpr Lag kNone{.behind = 0, .ahead = 0, .expired = 0};

}  // namespace

Lag LagOf(const PartitionReport& partition) {
  const bool unknown = partition.position && !(partition.log_start && partition.log_end);
  return {.behind = Excess(partition.log_end, partition.position),
          .ahead = Excess(partition.position, partition.log_end),
          .expired = Excess(partition.log_start, partition.position),
          .unknown_partitions = unknown ? 1U : 0U};
}

Lag LagOf(const TopicReport& topic) {
  if (!HasPosition(topic)) return {};
  Lag sum = kNone;
  for (const PartitionReport& partition : topic.partitions) {
    if (partition.position) AddTo(sum, LagOf(partition));
  }
  return sum;
}

Lag LagOf(const QueryReport& query) {
  if (query.topics.empty()) return {};
  Lag sum = kNone;
  for (const TopicReport& topic : query.topics) AddTo(sum, LagOf(topic));
  return sum;
}

}  // namespace tidegauge
