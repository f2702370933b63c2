// Loads a configuration for a command that ends when it is wrong.
#pragma once

#include <optional>
#include <string>

#include "config/config.h"

namespace tidegauge {

/// The configuration; without one, every mistake has been printed to standard error.
std::optional<Config> LoadOrExplain(const std::string& config_file);

/// Prints `message` to standard error, as this program's.
void Explain(const std::string& message);

}  // namespace tidegauge
