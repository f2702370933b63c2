// docs/config.md: every setting in tables.
#pragma once

#include <string>
#include <vector>

#include "core/detectors/detector.h"

namespace tidegauge {

/// Markdown: each setting with its path, its default or an example, its meaning and what it may be.
/// `detectors` are at their defaults.
std::string SettingsPage(std::vector<DetectorPtr> detectors);

}  // namespace tidegauge
