// The world as it is: the configured directories and clusters.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
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
  /// Errors: those of Clusters::Make. `config` must remain live while this does.
  static Result<std::unique_ptr<LiveWorld>> Make(const Config& config);

  Readings ReadCheckpoints(Time now) override;
  std::optional<Target> TargetOf(const std::string& directory) const override;
  Answers Ask(const Questions& topics) override { return clusters_.Ask(topics); }
  Answers AskAgain(const Questions& topics) override { return clusters_.AskAgain(topics); }
  StampAnswers AskStamps(const Questions& topics) override { return clusters_.AskStamps(topics); }

 private:
  LiveWorld(const Config& config, Clusters clusters);

  Discovery DiscoverAll(Time now);
  /// Adds to what entry `index` found, while that may not be everything, what it found before.
  void Recall(std::size_t index, Discovery& found);

  const Config& config_;
  Clusters clusters_;
  DeadlinePool discovery_;
  std::vector<ImpatientStorage::Pool> lookups_;  ///< by entry
  std::vector<std::vector<Target>> known_;       ///< by entry
  ReaderPool readers_;
  DataFileScans scans_;
};

}  // namespace tidegauge
