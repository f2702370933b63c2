// tidegauge config check|print|reference|rules
#include <string>

#include <fmt/core.h>

#include "config/print.h"
#include "config/settings_page.h"
#include "core/detectors/all.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"

namespace tidegauge {
namespace {

int Printed(const std::string& text) { return PrintResult(text) ? kExitOk : kExitFailure; }

}  // namespace

int RunConfigCheck(const std::string& config_file) {
  const auto config = LoadOrExplain(config_file);
  if (!config) return kExitConfig;
  return Printed(fmt::format("{}: good: {} clusters, {} query entries\n", config_file,
                             config->kafka.size(), config->queries.size()));
}

int RunConfigPrint(const std::string& config_file) {
  const auto config = LoadOrExplain(config_file);
  if (!config) return kExitConfig;
  return Printed(PrintConfig(*config));
}

int RunConfigReference(bool markdown) {
  return Printed(markdown ? SettingsPage(AllDetectors()) : ReferencePage(AllDetectors()));
}

int RunConfigRules(const RuleFileOptions& options) {
  return Printed(RuleFile(AllDetectors(), options));
}

}  // namespace tidegauge
