// What a Kafka cluster once answered, as a value: a replay file holds it, `tidegauge record` makes
// it, and a query can be judged against it in place of a live cluster.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model.h"
#include "core/ports.h"

namespace tidegauge {

/// An absent offset was not answered when this was recorded.
struct RecordedPartition {
  std::optional<Offset> log_start;
  std::optional<Offset> log_end;
  /// (timestamp of a record, its offset), ascending in both. The first record stamped at or after T
  /// is the first pair whose timestamp is at or after T.
  std::vector<std::pair<Time, Offset>> by_time;

  friend bool operator==(const RecordedPartition&, const RecordedPartition&) = default;
};

struct RecordedTopic {
  std::string id;  ///< Kafka's base64 form; empty: the broker gave none (before 2.8)
  TimestampType timestamp_type = TimestampType::kUnknown;
  std::map<Partition, RecordedPartition> partitions;

  friend bool operator==(const RecordedTopic&, const RecordedTopic&) = default;
};

/// A topic that is not in `topics` did not exist.
struct RecordedCluster {
  std::string cluster_id;  ///< empty: unknown
  std::map<std::string, RecordedTopic, std::less<>> topics;

  friend bool operator==(const RecordedCluster&, const RecordedCluster&) = default;
};

}  // namespace tidegauge
