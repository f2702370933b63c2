// From a file to a configuration, or to everything that is wrong with it.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/environment.h"
#include "config/mistake.h"
#include "core/detectors/detector.h"

namespace tidegauge {

/// A larger configuration file is refused unread.
inline constexpr std::size_t kMaxConfigBytes = 1024 * 1024;

/// Reads `file` strictly. `detectors` are those whose settings the file may hold, at their defaults
/// (AllDetectors()); they become `rules.detectors`. Touches no other file: secrets and replay files
/// are read by whoever uses them.
std::expected<Config, Mistakes> LoadConfig(const std::string& file,
                                           std::vector<DetectorPtr> detectors,
                                           const Environment& environment = ProcessEnvironment);

/// The same for `text`, which is the content of a file in `directory`.
std::expected<Config, Mistakes> ParseConfig(std::string_view text, const std::string& directory,
                                            std::vector<DetectorPtr> detectors,
                                            const Environment& environment);

}  // namespace tidegauge
