// A configuration as YAML: the one in effect, and the reference page.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "core/detectors/detector.h"

namespace tidegauge {

/// Every setting of `config` with its value, defaults included, as a file that loads again.
/// Values of secret properties are `<secret>`; what properties_file names is not read.
std::string PrintConfig(const Config& config);

/// A configuration file with every setting at its default, each below its sentence; what has no
/// default has an example. It loads. `detectors` are at their defaults.
std::string ReferencePage(std::vector<DetectorPtr> detectors);

}  // namespace tidegauge
