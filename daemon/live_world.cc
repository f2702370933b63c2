#include "daemon/live_world.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "daemon/storage/local_storage.h"

namespace tidegauge {
namespace {

DeadlinePool::Options PoolOptions(const Config& config) {
  DeadlinePool::Options options{.threads = static_cast<std::size_t>(config.read_concurrency)};
  for (const QueryConfig& query : config.queries) {
    options.deadline = std::max(options.deadline, query.timeout);
  }
  return options;
}

}  // namespace

Result<std::unique_ptr<LiveWorld>> LiveWorld::Make(const Config& config) {
  auto clusters = Clusters::Make(config.kafka);
  if (!clusters) return std::unexpected(clusters.error());
  return std::unique_ptr<LiveWorld>(new LiveWorld(config, std::move(*clusters)));
}

LiveWorld::LiveWorld(const Config& config, Clusters clusters)
    : config_(config),
      clusters_(std::move(clusters)),
      discovery_(PoolOptions(config)),
      readers_(
          [](const Target& target, std::shared_ptr<const Checkpoint> previous, Time now) {
            LocalStorage storage;
            return ReadCheckpoint(storage, target.checkpoint, std::move(previous), now);
          },
          PoolOptions(config)) {}

/// Each entry on a thread that may be given up: a pattern may lead over a mount that hangs.
Discovery LiveWorld::DiscoverAll(Time now) {
  std::vector<std::shared_ptr<Discovery>> found;
  std::vector<DeadlinePool::Job> jobs;
  for (const QueryConfig& entry : config_.queries) {
    auto slot = found.emplace_back(std::make_shared<Discovery>());
    jobs.push_back({.key = fmt::format("{} {}", jobs.size(), entry.checkpoint),
                    .group = {},
                    .run = [entry, slot] {
                      LocalStorage storage;
                      *slot = DiscoverEntry(entry, storage);
                    }});
  }
  const auto answers = discovery_.Run(std::move(jobs), now);
  std::vector<Discovery> entries;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (answers[i].outcome == DeadlinePool::Outcome::kDone) {
      entries.push_back(std::move(*found[i]));
    } else {
      entries.push_back({.problems = {fmt::format("{}: no answer in time (is the mount hung?)",
                                                  config_.queries[i].checkpoint)},
                         .complete = false});
    }
  }
  return Merge(std::move(entries));
}

Readings LiveWorld::ReadCheckpoints(Time now) {
  Discovery discovery = DiscoverAll(now);
  std::vector<Target> targets;
  for (DiscoveredQuery& query : discovery.queries) targets.push_back(std::move(query.target));
  std::ranges::sort(targets);
  return {.queries = readers_.ReadAll(targets, now),
          .unknown = std::move(discovery.problems),
          .complete = discovery.complete};
}

}  // namespace tidegauge
