// The file sink of a Spark query, as FileStreamSink and CompactibleFileStreamLog (3.5) write it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model.h"
#include "tests/support/memory_storage.h"
#include "tests/week/dice.h"

namespace tidegauge::testing {

struct SinkPlan {
  std::string directory;
  bool with_data_files = false;  ///< else only the log is written: it is all that is watched
  Duration retention{};          ///< the sink's option `retention`; 0: none
};

class SimulatedSink {
 public:
  explicit SimulatedSink(SinkPlan plan) : plan_(std::move(plan)) {}

  const SinkPlan& plan() const { return plan_; }

  /// A driver starts: it makes the log's directory, and derives the interval at its first batch.
  void Start(MemoryStorage& storage, Time now);
  /// Writes the data files of `batch`. False: the batch is in the log already, and is passed over.
  bool WriteFiles(MemoryStorage& storage, BatchId batch, Dice& dice, Time now);
  /// Lists them in the log. False: Spark fails, for want of a file.
  bool Log(MemoryStorage& storage, BatchId batch, Time now);
  /// The task attempts under way are aborted (ManifestFileCommitProtocol.abortJob).
  void Abort(MemoryStorage& storage);

 private:
  std::string LogPath() const { return plan_.directory + "/_spark_metadata"; }
  std::string NameOf(BatchId batch) const;
  bool Compacts(BatchId batch) const { return (batch + 1) % interval_ == 0; }
  std::vector<BatchId> Compactions(MemoryStorage& storage) const;
  void DeriveInterval(MemoryStorage& storage);
  /// The entries of all files that the compaction of `batch` needs; false: one is missing.
  bool Collect(MemoryStorage& storage, BatchId batch, Time now, std::string& text) const;
  bool IsRetained(const std::string& entry, Time now) const;
  void Clean(MemoryStorage& storage, BatchId batch, Time now) const;

  SinkPlan plan_;
  std::int64_t interval_ = 0;  ///< 0: not derived yet
  std::string pending_;        ///< entries of the batch that runs
  std::vector<std::string> pending_files_;
};

}  // namespace tidegauge::testing
