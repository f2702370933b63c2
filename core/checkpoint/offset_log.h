// One file of offsets/ (OffsetSeqLog v1 and v2), or sources/K/0 of a Kafka source
// (KafkaSourceInitialOffsetWriter): text in, values out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.h"
#include "core/result.h"

namespace tidegauge {

/// What one source line holds.
enum class SourceKind {
  kKafka,  ///< topic -> partition -> offset (Azure Event Hubs writes the same shape)
  kOther,  ///< some other source's offset
  kNone,   ///< `-`: no offset yet
  kEmpty,  ///< `{}`: Kafka-shaped, without a single partition
};

struct SourceOffset {
  std::string id;  ///< v2: the source's id; v1: its place among the lines, from "0"
  SourceKind kind = SourceKind::kNone;
  TopicOffsets topics;  ///< for kKafka
};

struct OffsetLogEntry {
  int version = 1;
  bool has_metadata = false;          ///< continuous mode writes an empty metadata line
  std::optional<Time> planned_at;     ///< batchTimestampMs
  std::string shuffle_partitions;     ///< of the conf; empty: not there
  std::vector<SourceOffset> sources;  ///< v1: in plan order; v2: by id
};

/// The largest batch file that is read: some 200,000 partitions.
inline constexpr std::size_t kMaxBatchFileBytes = 16 << 20;

/// Errors: kCorrupt (empty, torn, not Spark's), kUnsupported (a version after v2). The message says
/// what was expected and in which line, but not the file: the caller knows it.
Result<OffsetLogEntry> ParseOffsetLogEntry(std::string_view text);

/// Whether sources/K/0 is a Kafka source's: KafkaSourceInitialOffsetWriter writes a zero byte
/// first, for Spark 2.1.0 (SPARK-19517); no other source of Spark does.
bool IsKafkaInitialOffsets(std::string_view text);

/// The content of sources/K/0. kCorrupt when it is no Kafka source's.
Result<TopicOffsets> ParseInitialOffsets(std::string_view text);

/// The shape of one source line.
Result<SourceOffset> ParseSourceLine(std::string_view line);

}  // namespace tidegauge
