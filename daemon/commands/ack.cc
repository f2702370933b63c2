// tidegauge ack
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/history/ledger.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/poller.h"
#include "daemon/state/state_store.h"

namespace tidegauge {
namespace {

/// Everything else resolves by itself, by evidence.
constexpr std::array<std::string_view, 5> kWaitForAPerson{
    "records_skipped", "cluster_changed", "query_id_changed", "checkpoint_restarted",
    "checkpoint_missing"};

bool CanBeAcknowledged(const std::string& kind) {
  return std::ranges::find(kWaitForAPerson, kind) != kWaitForAPerson.end();
}

std::vector<FindingKey> Matching(const Ledger& ledger, const AckOptions& options) {
  std::vector<FindingKey> matching;
  for (const auto& [key, record] : ledger.findings) {
    const bool wanted = record.phase != Phase::kResolved && key.kind == options.kind &&
                        key.query == options.query &&
                        (options.topic.empty() || key.topic == options.topic) &&
                        (options.source.empty() || key.source == options.source);
    if (wanted) matching.push_back(key);
  }
  return matching;
}

int Acknowledge(const std::string& directory, const AckOptions& options) {
  auto ledger = StateStore::ReadCopy(directory);
  if (!ledger) {
    Explain(ledger.error().message);
    return kExitFailure;
  }
  const std::vector<FindingKey> keys = Matching(*ledger, options);
  if (keys.empty()) {
    Explain(fmt::format("there is no {} of query {}{} to acknowledge", options.kind, options.query,
                        options.topic.empty() ? "" : " and topic " + options.topic));
    return kExitFailure;
  }
  std::string told;
  for (const FindingKey& key : keys) {
    const Acknowledgement made{.key = key, .who = options.who, .why = options.why, .at = Now()};
    if (const auto done = StateStore::Acknowledge(directory, made); !done) {
      Explain(done.error().message);
      return kExitFailure;
    }
    told += fmt::format("acknowledged: {} of query {}{}\n", key.kind, key.query,
                        key.topic.empty() ? "" : ", topic " + key.topic);
  }
  return PrintResult(told) ? kExitOk : kExitFailure;
}

}  // namespace

int RunAck(const AckOptions& options) {
  if (!CanBeAcknowledged(options.kind)) {
    Explain(
        fmt::format("a {} cannot be acknowledged: it resolves when its cause is gone. Only these "
                    "wait for a person: {}",
                    options.kind, fmt::join(kWaitForAPerson, ", ")));
    return kExitUsage;
  }
  if (!options.state_dir.empty()) return Acknowledge(options.state_dir, options);
  const auto config = LoadOrExplain(options.config_file);
  return config ? Acknowledge(config->state_dir, options) : kExitConfig;
}

}  // namespace tidegauge
