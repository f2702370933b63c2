#include "daemon/commands/load_or_explain.h"

#include <cstdio>
#include <utility>

#include <fmt/core.h>

#include "config/load.h"
#include "core/detectors/all.h"

namespace tidegauge {

std::optional<Config> LoadOrExplain(const std::string& config_file) {
  auto config = LoadConfig(config_file, AllDetectors());
  if (config) return std::move(*config);
  fmt::print(stderr, "{}", Render(config_file, config.error()));
  return std::nullopt;
}

void Explain(const std::string& message) { fmt::print(stderr, "tidegauge: {}\n", message); }

}  // namespace tidegauge
