#include "daemon/live_world.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "daemon/storage/local_storage.h"

namespace tidegauge {
namespace {

DeadlinePool::Options PoolOptions(const Config& config) {
  return {.threads = static_cast<std::size_t>(config.read_concurrency),
          .deadline = config.read_timeout};
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
      known_(config.queries.size()),
      readers_(
          [](const Target& target, const KnownReading& previous, Time now) {
            LocalStorage storage;
            return ReadQuery(storage, target, previous, now);
          },
          PoolOptions(config)),
      scans_(config) {
  // So that a few mounts under one pattern may hang before the whole entry is late.
  const Duration deadline = std::max(config.read_timeout / 4, Duration(1));
  for (std::size_t i = 0; i < config.queries.size(); ++i) {
    lookups_.push_back(ImpatientStorage::MakePool(deadline));
  }
}

void LiveWorld::Recall(std::size_t index, Discovery& found) {
  std::vector<Target>& known = known_[index];
  if (!found.complete) {
    for (const Target& query : known) {
      if (std::ranges::find(found.queries, query) == found.queries.end()) {
        found.queries.push_back(query);
      }
    }
  }
  known = found.queries;
}

/// Each entry on a thread of its own, which may be given up.
Discovery LiveWorld::DiscoverAll(Time now) {
  const MountTable mounts = MountTable::Read();
  std::vector<std::shared_ptr<Discovery>> found;
  std::vector<DeadlinePool::Job> jobs;
  for (std::size_t i = 0; i < config_.queries.size(); ++i) {
    auto slot = found.emplace_back(std::make_shared<Discovery>());
    const std::string key = fmt::format("{}", i);
    jobs.push_back({.key = key,
                    .group = key,
                    .run = [entry = config_.queries[i], lookups = lookups_[i], mounts, slot] {
                      ImpatientStorage storage(lookups, mounts);
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
    Recall(i, entries.back());
  }
  return Merge(std::move(entries));
}

Readings LiveWorld::ReadCheckpoints(Time now) {
  Discovery discovery = DiscoverAll(now);
  std::vector<Target> targets = std::move(discovery.queries);
  std::ranges::sort(targets);
  std::vector<Reading> queries = readers_.ReadAll(targets, now);
  scans_.Step(queries, now);
  return {.queries = std::move(queries),
          .unknown = std::move(discovery.problems),
          .complete = discovery.complete};
}

std::optional<Target> LiveWorld::TargetOf(const std::string& directory) const {
  for (const QueryConfig& entry : config_.queries) {
    if (auto target = QueryAt(entry, directory)) return target;
  }
  return std::nullopt;
}

}  // namespace tidegauge
