// What the entries of `queries` must be to each other and to the clusters.
#pragma once

#include "config/config.h"
#include "config/mistake.h"
#include "config/yaml_node.h"

namespace tidegauge {

/// As CheckConsistency, for `queries`.
void CheckQueries(Config& config, const YamlNode& root, Mistakes& mistakes);

}  // namespace tidegauge
