// tidegauge check
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/core.h>
#include <unistd.h>

#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/expose/report_json.h"
#include "daemon/expose/text.h"
#include "daemon/live_world.h"
#include "daemon/poller.h"
#include "daemon/state/state_store.h"

namespace tidegauge {
namespace {

/// Memory in `directory`, or a copy of it while a daemon owns it.
Result<Poller> RememberIn(const std::string& directory) {
  if (directory.empty()) return Poller(nullptr, {});
  auto store = StateStore::Open(directory);
  if (!store && store.error().kind != ErrorKind::kUnavailable) {
    return std::unexpected(store.error());
  }
  if (!store) {
    Explain(fmt::format("{}; judging with a copy of its memory, which learns nothing",
                        store.error().message));
    auto copy = StateStore::ReadCopy(directory);
    if (!copy) return std::unexpected(copy.error());
    return Poller(nullptr, std::move(*copy));
  }
  auto ledger = (*store)->Load();
  if (!ledger) return std::unexpected(ledger.error());
  return Poller(std::move(*store), std::move(*ledger));
}

bool Found(const Report& report, Severity severity) {
  return std::ranges::any_of(report.findings, [&](const FindingReport& finding) {
    return finding.finding.severity == severity;
  });
}

bool SomethingUnknown(const Report& report) {
  return !report.unknown.empty() || std::ranges::any_of(report.queries, [](const auto& query) {
    return !query.unknown.empty();
  });
}

ExitStatus StatusOf(const Report& report) {
  if (Found(report, Severity::kCritical)) return kExitCritical;
  if (SomethingUnknown(report)) return kExitUnknown;
  return Found(report, Severity::kWarning) ? kExitWarning : kExitOk;
}

Report Only(const Report& report, const std::string& query) {
  Report only = report;
  std::erase_if(only.queries, [&](const QueryReport& other) { return other.query != query; });
  std::erase_if(only.findings,
                [&](const FindingReport& other) { return other.finding.key.query != query; });
  return only;
}

std::string WhyNot(const std::string& query, const Shard& shard) {
  if (shard.Owns(query)) return fmt::format("there is no query '{}'", query);
  return fmt::format("a query '{}' belongs to shard {} of {}, not to shard {}", query,
                     ShardOf(query, shard.count()), shard.count(), shard.index());
}

}  // namespace

int RunCheck(const CheckOptions& options) {
  auto config = LoadOrExplain(options.config_file);
  if (!config) return kExitConfig;
  config->rules.at_once = true;
  config->shard = options.shard;
  auto world = LiveWorld::Make(*config);
  if (!world) {
    Explain(fmt::format("{}: {}", options.config_file, world.error().message));
    return kExitConfig;
  }
  auto poller = RememberIn(options.state_dir);
  if (!poller) {
    Explain(poller.error().message);
    return kExitUnknown;
  }
  const ReportPtr whole = poller->Poll(**world, config->rules);
  const Report report = options.query.empty() ? *whole : Only(*whole, options.query);
  if (!options.query.empty() && report.queries.empty()) {
    Explain(WhyNot(options.query, options.shard));
    return kExitUnknown;
  }
  const ExitStatus status = StatusOf(report);
  const bool printed = PrintResult(options.json ? ReportJson(report)
                                                : ReportText(report, isatty(STDOUT_FILENO) == 1));
  return printed || status == kExitCritical ? status : kExitUnknown;
}

}  // namespace tidegauge
