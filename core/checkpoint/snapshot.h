// A checkpoint directory at one moment: what Spark Structured Streaming 2.4 to 4.2 wrote, and what
// a restart would read from. The rules are those of MicroBatchExecution.populateStartOffsets,
// ContinuousExecution.getStartOffsets and AsyncProgressTrackingMicroBatchExecution;
// docs/checkpoint_format.md tells them whole.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/damage.h"
#include "core/checkpoint/offset_log.h"
#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

/// Offsets of one topic in one source, as one batch file (or the initial offsets) has them.
struct SourceTopic {
  std::string source;  ///< empty unless two sources of the query read `topic` differently
  std::string topic;
  PartitionOffsets offsets;
  BatchId batch = -1;  ///< the file they stand in; -1: sources/K/0

  friend bool operator==(const SourceTopic&, const SourceTopic&) = default;
};

/// A change from one retained batch to the next that says that something happened.
struct BatchStep {
  enum class Kind {
    kBackwards,         ///< offsets fell
    kPartitionDropped,  ///< partitions vanished, others stayed
    kSourceEmptied,     ///< a source lost every partition it had
  };
  Kind kind = Kind::kBackwards;
  BatchId batch = 0;  ///< the later of the two
  std::string source;
  std::string topic;
  PartitionOffsets from;    ///< the partitions concerned, in the batch before
  PartitionOffsets to;      ///< in `batch`; for the other two kinds empty
  PartitionOffsets before;  ///< kBackwards: every partition of the topic, in the batch before

  friend bool operator==(const BatchStep&, const BatchStep&) = default;
};

/// When a retained batch was planned.
struct BatchTime {
  BatchId batch = 0;
  Time planned_at;

  friend bool operator==(const BatchTime&, const BatchTime&) = default;
};

/// Immutable after ReadCheckpoint; shared between threads by pointer.
struct Checkpoint {
  std::string path;
  std::string query_id;       ///< from `metadata`; empty: the file is absent or unreadable
  bool has_metadata = false;  ///< the file is there
  std::optional<BatchId> newest_batch;     ///< the highest id in offsets/
  std::optional<BatchId> committed_batch;  ///< the highest id in commits/
  std::optional<Time> newest_batch_at;
  std::optional<Time> committed_at;  ///< when the newest commit was written, as its file says
  bool continuous = false;           ///< Trigger.Continuous: empty metadata line

  /// Whether what a restart reads from can be known. False: `damage` says why, and all that rests
  /// on it (positions, sources, history) is empty.
  bool position_known = true;
  /// What a restart reads from: one entry a topic and source.
  std::vector<SourceTopic> position;
  /// Where the batch of `position` began: the offsets of the retained batch before it, as that file
  /// is now. Empty: there is none, or it could not be read.
  std::vector<SourceTopic> position_start;
  /// When the batch of `position` was planned; absent: only initial offsets, or continuous mode.
  std::optional<Time> position_at;
  /// The end offsets of the newest batch while it is not committed; empty otherwise.
  std::vector<SourceTopic> in_flight;

  std::size_t kafka_sources = 0;        ///< distinct source lines that are Kafka's
  std::size_t unmonitored_sources = 0;  ///< lines of other sources
  std::size_t undecided_sources = 0;    ///< lines that say nothing yet (`-`, `{}`)

  std::size_t source_lines = 0;  ///< of the position's batch, if of version 1; 0: not known

  std::vector<BatchTime> batch_times;  ///< of the retained batches that could be read, ascending
  /// The plan of a batch that another driver had planned before, and which was left as a temporary
  /// file for that: the newest such batch, and when it was planned again. A single driver leaves
  /// one too when it crashes, but an earlier one than the plan that counts.
  std::optional<BatchTime> planned_again;
  std::vector<BatchStep> steps;  ///< among the retained batches that have ended, ascending
  /// What could not be read, e.g. "offsets/42: empty", and what does not fit together, so that a
  /// restart will fail or a source may be missing here.
  std::vector<std::string> problems;
  /// Which of it Spark will not get over either.
  std::vector<Damage> damage;

  /// What the next poll needs, to read only what changed. Opaque to everybody else.
  struct Fingerprint {
    using StatusByName = std::map<std::string, std::optional<FileStatus>>;
    StatusByName status;  ///< of what was read, by its name below the checkpoint; empty: not known
    Time taken_at;
    BatchId scanned = -1;                        ///< the newest ended batch that `steps` covers
    std::shared_ptr<const OffsetLogEntry> last;  ///< of batch `scanned`
    std::shared_ptr<const OffsetLogEntry> before_last;  ///< of the batch before it
  } fingerprint;
};

/// Reads the checkpoint in directory `path`. `previous` is what the last poll read there (or null):
/// when nothing has changed since and it had no problems, it is returned as it is, after a few
/// stats; else only new batch files are read again. `now` is the moment of the call.
///
/// What was looked at and is damaged is no error, but `damage`. Errors say that something could not
/// be looked at: those of Storage (kNotFound: there is no such directory), and kCorrupt where what
/// was listed stays away, or where a batch that Spark needs no more can alone tell the position.
Result<std::shared_ptr<const Checkpoint>> ReadCheckpoint(Storage& storage, const std::string& path,
                                                         std::shared_ptr<const Checkpoint> previous,
                                                         Time now);

}  // namespace tidegauge
