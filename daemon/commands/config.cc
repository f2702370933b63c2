// tidegauge config check|print|reference
#include <fmt/core.h>

#include "config/print.h"
#include "core/detectors/all.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/exit_status.h"
#include "daemon/commands/load_or_explain.h"

namespace tidegauge {

int RunConfigCheck(const std::string& config_file) {
  const auto config = LoadOrExplain(config_file);
  if (!config) return kExitConfig;
  fmt::print("{}: good: {} clusters, {} query entries\n", config_file, config->kafka.size(),
             config->queries.size());
  return kExitOk;
}

int RunConfigPrint(const std::string& config_file) {
  const auto config = LoadOrExplain(config_file);
  if (!config) return kExitConfig;
  fmt::print("{}", PrintConfig(*config));
  return kExitOk;
}

int RunConfigReference() {
  fmt::print("{}", ReferencePage(AllDetectors()));
  return kExitOk;
}

}  // namespace tidegauge
