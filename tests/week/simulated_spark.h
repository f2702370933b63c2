// A Structured Streaming query and its driver, as Spark 3.5 does it: what it writes into its
// checkpoint and its sink, in which order, and when it fails.
//
// The driver reads its own files when it starts (MicroBatchExecution.populateStartOffsets), so that
// a checkpoint that was tampered with has the effect that it has on Spark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model.h"
#include "tests/support/memory_storage.h"
#include "tests/week/dice.h"
#include "tests/week/simulated_kafka.h"
#include "tests/week/simulated_sink.h"

namespace tidegauge::testing {

struct SourcePlan {
  std::vector<std::string> topics;
  bool read_committed = false;  ///< kafka.isolation.level
};

enum class Trigger {
  kProcessingTime,  ///< every `every`, as long as the driver runs
  kOnce,            ///< started every `every`, for one batch
  kAvailableNow,    ///< started every `every`, for what was there at the start
};

struct QueryPlan {
  std::vector<SourcePlan> sources;
  Trigger trigger = Trigger::kProcessingTime;
  Duration every = std::chrono::minutes(1);
  Duration from_midnight{};  ///< kOnce, kAvailableNow: the starts are so long after it
  Duration shortest = std::chrono::seconds(4);  ///< that a batch takes
  Duration longest = std::chrono::seconds(20);
  bool fail_on_data_loss = true;
  Offset most_records = 0;  ///< maxOffsetsPerTrigger; 0: none
  bool stateful = false;    ///< runs a batch without data after each with data
  /// asyncProgressTrackingCheckpointIntervalMs; 0: no asynchronous progress
  Duration asynchronous{};
  bool checksums = false;  ///< `.N.crc` beside each file, as on a local file system
  std::optional<SinkPlan> sink;
};

class SimulatedQuery {
 public:
  /// The driver starts at `start`, for the first time.
  SimulatedQuery(std::string checkpoint, QueryPlan plan, Dice dice, Time start);

  /// When it does something next.
  Time next() const { return next_; }
  /// Does it.
  void Act(MemoryStorage& storage, SimulatedKafka& kafka);

  /// The driver dies now, and is started again at `again`.
  void Kill(MemoryStorage& storage, Time now, Time again);
  /// ... and leaves a plan that was not renamed yet.
  void LeaveTemporaryFile(MemoryStorage& storage, Time now);
  /// The next batches take so long.
  void SetDuration(Duration shortest, Duration longest);

  const std::string& checkpoint() const { return checkpoint_; }
  const QueryPlan& plan() const { return plan_; }
  enum class State {
    kDown,
    kWaiting,     ///< for its next trigger
    kPlanning,    ///< the plan stands in a temporary file
    kRunning,     ///< the plan has its name, tasks run
    kListing,     ///< data files are written, and not in the sink's log yet
    kCommitting,  ///< they are in the sink's log
  };
  State state() const { return state_; }
  BatchId batch() const { return batch_; }  ///< the one that runs, or comes next
  /// Where that begins, in source `source`.
  const TopicOffsets& from(std::size_t source) const { return *start_.at(source); }

 private:
  using Ends = std::vector<std::optional<TopicOffsets>>;  ///< one a source

  void Start(MemoryStorage& storage, SimulatedKafka& kafka);
  void WriteNewQuery(MemoryStorage& storage, SimulatedKafka& kafka);
  bool Restore(MemoryStorage& storage, BatchId newest, BatchId committed);
  void Consider(MemoryStorage& storage, SimulatedKafka& kafka);
  bool Construct(SimulatedKafka& kafka);
  void BeginPlan(MemoryStorage& storage);
  void FinishPlan(MemoryStorage& storage, SimulatedKafka& kafka);
  void BeginRun(MemoryStorage& storage, SimulatedKafka& kafka);
  void FinishRun(MemoryStorage& storage);
  void ListFiles(MemoryStorage& storage);
  void Commit(MemoryStorage& storage);
  void Purge(MemoryStorage& storage, const std::string& log) const;
  void Fail(MemoryStorage& storage);
  void StopUntilNextStart();
  void Wait();

  Ends LatestOf(const SimulatedKafka& kafka) const;
  Ends Limit(const SimulatedKafka& kafka, Ends latest) const;
  /// Where the batch begins; absent: the partition is new to the query.
  std::optional<Offset> StartOf(std::size_t source, const std::string& topic,
                                Partition partition) const;
  bool LosesData(SimulatedKafka& kafka) const;
  Ends ReadEnds(MemoryStorage& storage, const std::string& name, bool& readable) const;
  std::string PlanText() const;
  std::string InLog(const char* log, BatchId batch) const;
  std::vector<BatchId> BatchesIn(MemoryStorage& storage, const std::string& log) const;
  void Write(MemoryStorage& storage, const std::string& name, std::string text) const;

  std::string checkpoint_;
  QueryPlan plan_;
  Dice dice_;
  std::optional<SimulatedSink> sink_;

  State state_ = State::kDown;
  Time next_;
  Time planned_at_;
  BatchId batch_ = 0;  ///< the one that runs, or comes next
  bool replay_ = false;
  bool first_of_run_ = true;
  bool stateful_batch_due_ = false;
  bool passed_over_ = false;   ///< the sink has this batch already
  bool plan_written_ = true;   ///< asynchronous progress: it is not written for each batch
  Time last_written_;          ///< asynchronous progress
  std::optional<Ends> until_;  ///< kAvailableNow
  Ends start_;
  Ends end_;
  std::string temporary_;
};

}  // namespace tidegauge::testing
