// The YAML form of a recorded cluster: what `replay_file` names and `tidegauge record` writes.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "config/mistake.h"
#include "core/recorded_cluster.h"
#include "core/result.h"

namespace tidegauge {

/// A larger replay file is refused unread: about 100,000 partitions.
inline constexpr std::size_t kMaxReplayBytes = 32 * 1024 * 1024;

/// Reads strictly. A topic's id may be in either of base64's alphabets, with or without padding; it
/// is returned as brokers give it. The zero id is no id.
std::expected<RecordedCluster, Mistakes> LoadReplayFile(const std::string& file);
std::expected<RecordedCluster, Mistakes> ParseReplay(std::string_view text);

/// What ParseReplay reads back as `cluster`.
std::string FormatReplay(const RecordedCluster& cluster);

/// Writes it, over what is there. kDenied, kUnavailable.
Result<void> WriteReplayFile(const std::string& file, const RecordedCluster& cluster);

}  // namespace tidegauge
