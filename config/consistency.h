// What the settings must be to each other.
#pragma once

#include "config/config.h"
#include "config/mistake.h"
#include "config/yaml_node.h"

namespace tidegauge {

/// Adds to `mistakes` what is wrong between fields that were read one by one from `root`: both or
/// neither of two, names that are twice or unknown, captures, properties, addresses. Completes
/// `config` as its header promises: paths normalised, each query's cluster set.
void CheckConsistency(Config& config, const YamlNode& root, Mistakes& mistakes);

}  // namespace tidegauge
