// tidegauge history
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/history/events.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/expose/history_text.h"
#include "daemon/expose/report_json.h"
#include "daemon/expose/wording.h"
#include "daemon/state/state_store.h"

namespace tidegauge {
namespace {

std::string NothingHappened(const Ledger& ledger, const std::string& query) {
  const auto known = ledger.queries.find(query);
  if (known == ledger.queries.end()) return {};
  return fmt::format("Nothing has happened to query {} since it was first seen, {}.\n", query,
                     UtcText(known->second.first_seen));
}

int PrintHistory(const std::string& directory, const HistoryOptions& options) {
  const auto ledger = StateStore::ReadCopy(directory);
  if (!ledger) {
    Explain(ledger.error().message);
    return kExitFailure;
  }
  std::vector<Event> events = HistoryOf(*ledger);
  std::erase_if(events, [&](const Event& event) { return event.key.query != options.query; });
  if (events.empty() && !ledger->queries.contains(options.query)) {
    Explain(fmt::format("{} remembers no query {}", directory, options.query));
    return kExitFailure;
  }
  const std::string text =
      events.empty() ? NothingHappened(*ledger, options.query) : HistoryText(events);
  return PrintResult(options.json ? HistoryJson(events) : text) ? kExitOk : kExitFailure;
}

}  // namespace

int RunHistory(const HistoryOptions& options) {
  if (!options.state_dir.empty()) return PrintHistory(options.state_dir, options);
  const auto config = LoadOrExplain(options.config_file);
  return config ? PrintHistory(config->state_dir, options) : kExitConfig;
}

}  // namespace tidegauge
