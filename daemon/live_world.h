// The world as it is: the configured directories and clusters.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/discovery.h"
#include "core/world.h"
#include "daemon/clusters.h"
#include "daemon/data_file_scans.h"
#include "daemon/deadline_pool.h"
#include "daemon/impatient_storage.h"
#include "daemon/reader_pool.h"

namespace tidegauge {

/// Used by one thread. Nothing that hangs outside keeps a call, or the destructor, beyond its
/// deadline.
class LiveWorld : public World {
 public:
  /// What is configured as it was in `before` is kept: connections, what was found and read, scans
  /// under way, what hangs. It is then of both, which must be used by the same thread.
  ///
  /// Errors: those of Clusters::Make.
  static Result<std::unique_ptr<LiveWorld>> Make(const Config& config,
                                                 const LiveWorld* before = nullptr);

  Readings ReadCheckpoints(Time now) override;
  std::optional<Target> TargetOf(const std::string& directory) const override;
  Answers Ask(const Questions& topics) override { return clusters_.Ask(topics); }
  Answers AskAgain(const Questions& topics) override { return clusters_.AskAgain(topics); }
  StampAnswers AskStamps(const Questions& topics) override { return clusters_.AskStamps(topics); }

 private:
  /// One of the configuration's `queries`.
  struct Entry {
    QueryConfig config;
    ImpatientStorage::Pool lookups;
  };

  /// The checkpoints that were found last, by the path or pattern of their entry.
  using Known = std::map<std::string, std::set<std::string>>;

  LiveWorld(const Config& config, Clusters clusters, const LiveWorld* before);

  std::shared_ptr<Entry> EntryOf(const QueryConfig& config) const;
  Discovery DiscoverAll(Time now);
  void Recall(const QueryConfig& entry, Discovery& found);

  Shard shard_;
  Clusters clusters_;
  DeadlinePool::Options reading_;
  std::vector<std::shared_ptr<Entry>> entries_;
  std::shared_ptr<Known> known_;
  std::shared_ptr<DeadlinePool> discovery_;
  std::shared_ptr<ReaderPool> readers_;
  std::shared_ptr<DataFileScans> scans_;
};

}  // namespace tidegauge
