#include "daemon/live_world.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "daemon/storage/local_storage.h"

namespace tidegauge {
namespace {

DeadlinePool::Options PoolOptions(const Config& config) {
  return {.threads = static_cast<std::size_t>(config.read_concurrency),
          .deadline = config.read_timeout};
}

DataFileScans::Options ScanOptions(const Config& config) {
  return {.limits = config.data_file_scan,
          .at_once = config.rules.at_once,
          .read_timeout = config.read_timeout,
          .threads = static_cast<std::size_t>(config.read_concurrency)};
}

QueryReading ReadLocal(const Target& target, const KnownReading& previous, Time now) {
  LocalStorage storage;
  return ReadQuery(storage, target, previous, now);
}

/// The checkpoints of what was found.
std::set<std::string> CheckpointsOf(const Discovery& found) {
  std::set<std::string> checkpoints;
  for (const Target& query : found.queries) checkpoints.insert(query.checkpoint);
  return checkpoints;
}

}  // namespace

Result<std::unique_ptr<LiveWorld>> LiveWorld::Make(const Config& config, const LiveWorld* before) {
  auto clusters = Clusters::Make(config.kafka, before != nullptr ? &before->clusters_ : nullptr);
  if (!clusters) return std::unexpected(clusters.error());
  return std::unique_ptr<LiveWorld>(new LiveWorld(config, std::move(*clusters), before));
}

LiveWorld::LiveWorld(const Config& config, Clusters clusters, const LiveWorld* before)
    : shard_(config.shard),
      clusters_(std::move(clusters)),
      reading_(PoolOptions(config)),
      known_(before != nullptr ? before->known_ : std::make_shared<Known>()) {
  const bool same_reading = before != nullptr && before->reading_ == reading_;
  // So that a few mounts under one pattern may hang before the whole entry is late.
  const Duration lookup_deadline = std::max(config.read_timeout / 4, Duration(1));
  for (const QueryConfig& query : config.queries) {
    std::shared_ptr<Entry> entry = same_reading ? before->EntryOf(query) : nullptr;
    if (entry == nullptr) {
      entry = std::make_shared<Entry>(query, ImpatientStorage::MakePool(lookup_deadline));
    }
    entries_.push_back(std::move(entry));
  }
  discovery_ = same_reading ? before->discovery_ : std::make_shared<DeadlinePool>(reading_);
  readers_ = same_reading ? before->readers_ : std::make_shared<ReaderPool>(ReadLocal, reading_);
  const DataFileScans::Options scan = ScanOptions(config);
  scans_ = before != nullptr && before->scans_->options() == scan
               ? before->scans_
               : std::make_shared<DataFileScans>(scan);
}

std::shared_ptr<LiveWorld::Entry> LiveWorld::EntryOf(const QueryConfig& config) const {
  const auto found =
      std::ranges::find(entries_, config, [](const auto& entry) -> auto& { return entry->config; });
  return found == entries_.end() ? nullptr : *found;
}

/// Each entry on a thread of its own, which may be given up.
Discovery LiveWorld::DiscoverAll(Time now) {
  const MountTable mounts = MountTable::Read();
  std::vector<std::shared_ptr<Discovery>> found;
  std::vector<DeadlinePool::Job> jobs;
  for (const std::shared_ptr<Entry>& entry : entries_) {
    auto slot = found.emplace_back(std::make_shared<Discovery>());
    const std::string key = fmt::format("{}", fmt::ptr(entry.get()));
    jobs.push_back(
        {.key = key,
         .group = key,
         .run = [config = entry->config, shard = shard_, lookups = entry->lookups, mounts, slot] {
           ImpatientStorage storage(lookups, mounts);
           *slot = DiscoverEntry(config, storage, shard);
         }});
  }
  const auto answers = discovery_->Run(std::move(jobs), now);
  std::vector<Discovery> entries;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (answers[i].outcome == DeadlinePool::Outcome::kDone) {
      entries.push_back(std::move(*found[i]));
    } else {
      entries.push_back({.problems = {fmt::format("{}: no answer in time (is the mount hung?)",
                                                  entries_[i]->config.checkpoint)},
                         .complete = false});
    }
    Recall(entries_[i]->config, entries.back());
  }
  return Merge(std::move(entries));
}

/// Adds to what was found, while that may not be everything, what was found before.
void LiveWorld::Recall(const QueryConfig& entry, Discovery& found) {
  std::set<std::string> checkpoints = CheckpointsOf(found);
  std::set<std::string>& known = (*known_)[entry.checkpoint];
  if (!found.complete) {
    for (const std::string& checkpoint : known) {
      auto query = QueryAt(entry, checkpoint);
      if (!query || !shard_.Owns(query->query) || !checkpoints.insert(checkpoint).second) continue;
      found.queries.push_back(*std::move(query));
    }
  }
  known = std::move(checkpoints);
}

Readings LiveWorld::ReadCheckpoints(Time now) {
  Discovery discovery = DiscoverAll(now);
  std::vector<Target> targets = std::move(discovery.queries);
  std::ranges::sort(targets);
  std::vector<Reading> queries = readers_->ReadAll(targets, now);
  scans_->Step(queries, now);
  return {.queries = std::move(queries),
          .unknown = std::move(discovery.problems),
          .complete = discovery.complete};
}

std::optional<Target> LiveWorld::TargetOf(const std::string& directory) const {
  for (const std::shared_ptr<Entry>& entry : entries_) {
    auto target = QueryAt(entry->config, directory);
    if (target && shard_.Owns(target->query)) return target;
  }
  return std::nullopt;
}

}  // namespace tidegauge
