// What the core asks of the world. The daemon implements these; tests fake them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.h"
#include "core/result.h"

namespace tidegauge {

// ---------------------------------------------------------------- storage

enum class EntryKind { kFile, kDirectory, kOther };

struct FileStatus {
  EntryKind kind = EntryKind::kFile;
  std::uint64_t size = 0;
  Time modified;

  friend bool operator==(const FileStatus&, const FileStatus&) = default;
};

/// The largest listing that is taken in; a directory with more entries is kUnavailable, never cut.
inline constexpr std::size_t kMaxEntries = 1'000'000;

/// Reads a tree of files. Never writes. Safe for concurrent use.
/// Errors: kNotFound, kDenied, kUnavailable; each message names the path.
class Storage {
 public:
  virtual ~Storage() = default;

  /// Names (without the directory) of everything in `directory`, in no order, hidden ones too.
  virtual Result<std::vector<std::string>> List(const std::string& directory) = 0;

  /// The whole file. A file of more than `max_bytes` is kCorrupt and is not read.
  virtual Result<std::string> Read(const std::string& path, std::size_t max_bytes) = 0;

  /// Up to `max_bytes` of the file, from byte `offset` on; fewer only where it ends. kCorrupt when
  /// it is no regular file.
  virtual Result<std::string> ReadPart(const std::string& path, std::uint64_t offset,
                                       std::size_t max_bytes) = 0;

  virtual Result<FileStatus> Stat(const std::string& path) = 0;
};

// ---------------------------------------------------------------- Kafka

/// What is known of one partition. An absent offset was not answered: never zero, never negative.
struct PartitionWatermarks {
  std::optional<Offset> log_start;
  std::optional<Offset> log_end;
  std::string error;  ///< why something is absent
};

enum class TopicPresence {
  kPresent,
  kMissing,  ///< the complete listing and a question by name both say so
  kUnknown,  ///< not answered, or not allowed to know
};

struct TopicAnswer {
  TopicPresence presence = TopicPresence::kUnknown;
  std::string topic_id;  ///< Kafka's base64 form; empty when the broker gives none (before 2.8)
  std::map<Partition, PartitionWatermarks> partitions;
  std::string error;  ///< why presence is kUnknown
};

/// What one cluster answered in one poll. Every topic asked for has an entry.
struct ClusterAnswer {
  std::string cluster_id;  ///< empty when unknown
  std::map<std::string, TopicAnswer, std::less<>> topics;
};

/// A record found by timestamp.
struct StampedOffset {
  Offset offset = 0;
  Time timestamp;
};

enum class TimestampType { kUnknown, kCreateTime, kLogAppendTime };

/// How the records of one topic are stamped at its beginning and end.
struct TopicStamps {
  TimestampType type = TimestampType::kUnknown;
  /// Per partition, the first record there still is; absent: unknown, or the partition is empty.
  std::map<Partition, StampedOffset> first;
  /// Per partition, the record with the largest timestamp; absent: unknown, or empty.
  std::map<Partition, StampedOffset> newest;
};

/// One Kafka cluster. Never creates a topic, never writes. One thread at a time.
/// Errors: kUnavailable, kDenied, kInvalid; the message is the reason to show.
class Cluster {
 public:
  virtual ~Cluster() = default;

  /// Ids, partitions, log start and log end of `topics`, before `timeout` has passed. An error
  /// means that nothing at all was answered; whatever else could not be answered is inside, as
  /// unknown.
  virtual Result<ClusterAnswer> Fetch(const std::set<std::string>& topics, Duration timeout) = 0;

  /// Stamps of `topics`; a topic that was not answered has no entry.
  virtual Result<std::map<std::string, TopicStamps, std::less<>>> Stamps(
      const std::set<std::string>& topics, Duration timeout) = 0;
};

}  // namespace tidegauge
