// tidegauge gate
#include "core/recovery/gate.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "config/duration.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/load_or_explain.h"
#include "daemon/commands/memory_copy.h"
#include "daemon/commands/standard_streams.h"
#include "daemon/exit_status.h"
#include "daemon/live_world.h"
#include "daemon/poller.h"

namespace tidegauge {
namespace {

using Clock = std::chrono::steady_clock;

struct Step {
  std::string_view name;
  GateStep step;
  std::string_view next;  ///< what to do once it is reached
};

constexpr Step kSteps[] = {
    {"drained", GateStep::kDrained,
     "Stop the queries, delete the topic, create it again with as many partitions. Keep the "
     "producers stopped. Next: tidegauge gate recreated {}"},
    {"recreated", GateStep::kRecreated,
     "Start each query once with failOnDataLoss=false. Keep the producers stopped. Next: tidegauge "
     "gate rebased {}"},
    {"rebased", GateStep::kRebased,
     "Start the producers of {}. Restart the queries without failOnDataLoss=false when it suits."},
};

const Step& StepOf(const std::string& name) {
  return *std::ranges::find(kSteps, name, &Step::name);
}

/// The cluster asked for, or the only one.
std::optional<std::string> ClusterOf(const Config& config, const GateOptions& options) {
  if (options.kafka_cluster.empty() && config.kafka.size() == 1) return config.kafka.front().name;
  const auto known = std::ranges::find(config.kafka, options.kafka_cluster, &KafkaConfig::name);
  if (known != config.kafka.end()) return known->name;
  std::vector<std::string_view> names;
  names.reserve(config.kafka.size());
  for (const KafkaConfig& kafka : config.kafka) names.push_back(kafka.name);
  Explain(options.kafka_cluster.empty()
              ? fmt::format("several clusters are configured: say --kafka with one of {}",
                            fmt::join(names, ", "))
              : fmt::format("there is no cluster {}: say --kafka with one of {}",
                            options.kafka_cluster, fmt::join(names, ", ")));
  return std::nullopt;
}

/// Says what is waited for, whenever that changes.
void Tell(const GateAnswer& answer, std::vector<std::string>& told) {
  if (answer.reasons == told) return;
  for (const std::string& reason : answer.reasons) Explain(reason);
  told = answer.reasons;
}

ExitStatus StatusOf(GateState state) {
  switch (state) {
    case GateState::kReached:
      return kExitOk;
    case GateState::kWaiting:
      return kExitFailure;
    case GateState::kUnknown:
      return kExitUnknown;
    case GateState::kRefused:
      return kExitCritical;
  }
  return kExitUnknown;
}

ExitStatus Conclude(const GateAnswer& answer, const Step& step, const GateOptions& options) {
  const ExitStatus status = StatusOf(answer.state);
  if (status == kExitOk) {
    const std::string next = fmt::format(fmt::runtime(step.next), options.topic);
    const bool printed = PrintResult(fmt::format("{} is {}. {}\n", options.topic, step.name, next));
    return printed ? kExitOk : kExitUnknown;
  }
  Explain(status == kExitCritical
              ? fmt::format("{} will not be {} by waiting: see above", options.topic, step.name)
              : fmt::format("{} is not {} after {}", options.topic, step.name, options.timeout));
  return status;
}

}  // namespace

int RunGate(const GateOptions& options) {
  auto config = LoadOrExplain(options.config_file);
  if (!config) return kExitConfig;
  const auto cluster = ClusterOf(*config, options);
  if (!cluster) return kExitUsage;
  config->rules.at_once = true;
  auto world = LiveWorld::Make(*config);
  if (!world) {
    Explain(fmt::format("{}: {}", options.config_file, world.error().message));
    return kExitConfig;
  }
  const Step& step = StepOf(options.step);
  Gate gate(step.step, *cluster, options.topic, {options.queries.begin(), options.queries.end()});
  Poller poller(nullptr,
                CopyMemory(options.state_dir.empty() ? config->state_dir : options.state_dir));
  const auto deadline = Clock::now() + *ParseDuration(options.timeout);
  std::vector<std::string> told;
  while (true) {
    const GateAnswer answer = gate.Take(*poller.Poll(**world, config->rules));
    Tell(answer, told);
    const auto next = Clock::now() + *ParseDuration(options.interval);
    const bool ends = answer.state == GateState::kReached || answer.state == GateState::kRefused;
    if (ends || next > deadline) return Conclude(answer, step, options);
    std::this_thread::sleep_until(next);
  }
}

}  // namespace tidegauge
