// Names inside a checkpoint directory, by Spark's own rules (HDFSMetadataLog,
// StreamingCheckpointConstants).
#pragma once

#include <optional>
#include <string_view>

#include "core/model.h"

namespace tidegauge {

inline constexpr std::string_view kOffsetsDirectory = "offsets";
inline constexpr std::string_view kCommitsDirectory = "commits";
inline constexpr std::string_view kSourcesDirectory = "sources";
inline constexpr std::string_view kStateDirectory = "state";
inline constexpr std::string_view kMetadataFile = "metadata";

/// The batch that a file name in offsets/ or commits/ stands for, if Spark would take it for one:
/// what Java's Long.parseLong accepts. Temporary files, checksums and anything else are none. A
/// negative id is none either: Spark never writes one.
std::optional<BatchId> ParseBatchFileName(std::string_view name);

/// The batch whose file `name`, a temporary one, was to become: `.7.<uuid>.tmp`
/// (CheckpointFileManager.generateTempPath). Its checksum, `..7.<uuid>.tmp.crc`, is none.
std::optional<BatchId> ParseTemporaryFileName(std::string_view name);

/// Whether Kafka would accept `name` for a topic (org.apache.kafka.common.internals.Topic).
bool IsLegalTopicName(std::string_view name);

}  // namespace tidegauge
