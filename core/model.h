// The nouns: plain values that every part of the program shares. Words are Spark's and Kafka's own.
//
// Every offset is "next to read": the exclusive end that Spark's offset log and Kafka's consumer
// positions both mean. Times are UTC, to the millisecond, as Spark and Kafka write them.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidegauge {

using Duration = std::chrono::milliseconds;
using Time = std::chrono::sys_time<Duration>;

using BatchId = std::int64_t;
using Partition = std::int32_t;
using Offset = std::int64_t;

using PartitionOffsets = std::map<Partition, Offset>;
using TopicOffsets = std::map<std::string, PartitionOffsets, std::less<>>;

enum class Severity { kInfo, kWarning, kCritical };

std::string_view ToString(Severity severity);
std::optional<Severity> ParseSeverity(std::string_view text);

/// How sure a finding is of itself.
enum class Confidence {
  kLikely,   ///< rests on clocks of producers, or on offsets alone
  kCertain,  ///< rests on ids, or on stamps that the broker made
};

std::string_view ToString(Confidence confidence);
std::optional<Confidence> ParseConfidence(std::string_view text);

/// Whether a count of records is the number, or the most it can be.
enum class Bound { kExact, kAtMost };

std::string_view ToString(Bound bound);
std::optional<Bound> ParseBound(std::string_view text);

/// One partition inside a finding. An absent number is unknown or has no meaning for the kind.
struct FindingPartition {
  Partition partition = 0;
  std::optional<Offset> checkpoint;
  std::optional<Offset> log_start;
  std::optional<Offset> log_end;
  std::optional<std::int64_t> records;

  friend bool operator==(const FindingPartition&, const FindingPartition&) = default;
};

/// What makes two findings the same one over polls, restarts and machines. Never a number that
/// moves.
struct FindingKey {
  std::string kind;           ///< a detector's id
  std::string query;          ///
  std::string kafka_cluster;  ///< empty where Kafka has no part in it
  std::string topic;          ///< empty where the finding concerns the whole query
  std::string source;  ///< set only when two sources of the query read this topic differently
  std::string log;     ///< `sink`, or `source K`: the log that it concerns; empty: none

  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
};

/// What one detector says of one query (and topic).
struct Finding {
  FindingKey key;
  Severity severity = Severity::kCritical;
  Confidence confidence = Confidence::kCertain;
  std::string direction;              ///< topic_recreated: empty, below, equal, above
  std::vector<std::string> evidence;  ///< topic_recreated: strongest first
  std::optional<std::int64_t> records;
  Bound records_bound = Bound::kExact;
  std::optional<BatchId> batch;
  std::optional<std::int64_t> batches_left;  ///< until `batch`; 1: it is the next one
  std::optional<Time> expected_at;
  /// Names of log files that are absent or cannot be read, or of the data files concerned.
  std::vector<std::string> missing;
  std::vector<FindingPartition> partitions;
  std::string summary;  ///< one or two sentences for a person on call

  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace tidegauge
