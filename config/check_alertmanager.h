// What of the settings for Alertmanager does not go together.
#pragma once

#include "config/config.h"
#include "config/mistake.h"
#include "config/yaml_node.h"

namespace tidegauge {

/// `root` is what `config` was read from.
void CheckAlertmanager(const AlertmanagerConfig& config, const YamlNode& root, Mistakes& mistakes);

}  // namespace tidegauge
