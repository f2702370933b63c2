// tidegauge config check|print|reference|rules
#include <expected>
#include <string>

#include <fmt/core.h>

#include "config/print.h"
#include "config/settings_page.h"
#include "core/detectors/all.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/http/door_watch.h"

namespace tidegauge {
namespace {

int Printed(const std::string& text) { return PrintResult(text) ? kExitOk : kExitFailure; }

/// What the door is like, or every mistake.
std::expected<std::string, std::string> CheckWebConfig(const std::string& file) {
  const auto read = ReadDoorFile(file);
  if (!read) return std::unexpected(read.error());
  std::string verdict =
      fmt::format("{}: good: {}, {}\n", file, read->door->tls ? "TLS" : "plain HTTP",
                  read->door->auth ? "with passwords" : "without passwords");
  for (const std::string& doubt : read->doubts) verdict += fmt::format("{}: {}\n", file, doubt);
  return verdict;
}

}  // namespace

int RunConfigCheck(const std::string& config_file, const std::string& web_config_file) {
  std::string verdict;
  bool good = true;
  if (!config_file.empty()) {
    const auto config = LoadOrExplain(config_file);
    good = config.has_value();
    if (good) {
      verdict = fmt::format("{}: good: {} clusters, {} query entries\n", config_file,
                            config->kafka.size(), config->queries.size());
    }
  }
  if (!web_config_file.empty()) {
    auto web = CheckWebConfig(web_config_file);
    if (!web) fmt::print(stderr, "{}", web.error());
    good = good && web.has_value();
    if (web) verdict += *web;
  }
  const int printed = Printed(verdict);
  return good ? printed : kExitConfig;
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
