// One query's offsets held against what Kafka answered: all that a detector may see.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/history/ledger.h"
#include "core/model.h"
#include "core/output/data_files.h"
#include "core/ports.h"
#include "core/sinklog/log_view.h"

namespace tidegauge {

/// Which life of its topic a checkpoint's offsets were written against.
enum class Belongs {
  kCurrent,  ///< to the topic as it is now (or nothing speaks against it)
  kEarlier,  ///< to an earlier incarnation: the topic was recreated since
  kUnknown,  ///< the topic did not answer
};

struct PartitionComparison {
  Partition partition = 0;
  std::optional<Offset> position;  ///< what a restart reads from; absent: not in the checkpoint
  std::optional<Offset> in_flight_end;  ///< where the uncommitted batch ends, if there is one
  bool listed = false;                  ///< the topic has this partition now
  bool passed_by = false;  ///< later batches came without it: the query does not subscribe to it
  std::optional<Offset> log_start;  ///< absent: unknown
  std::optional<Offset> log_end;    ///< absent: unknown
  /// Offsets a second at which log start and position have moved of late; absent: unknown.
  std::optional<double> log_start_rate;
  std::optional<double> position_rate;
  std::optional<double> position_rate_lately;  ///< over the last hour or so
};

struct TopicComparison {
  std::string topic;
  std::string source;  ///< set only when two sources of the query read this topic differently
  TopicPresence presence = TopicPresence::kUnknown;
  std::string error;  ///< why presence is kUnknown
  Belongs belongs = Belongs::kUnknown;
  std::vector<std::string> evidence;  ///< for kEarlier, strongest first
  Confidence confidence = Confidence::kCertain;
  BatchId batch = -1;  ///< the batch whose offsets `position` is; -1: the initial offsets
  std::optional<BatchId> in_flight_batch;
  std::vector<PartitionComparison> partitions;  ///< ascending; those of checkpoint and topic
};

struct QueryView {
  Time now;
  std::string query;
  std::string kafka_cluster;          ///< empty: not compared with Kafka
  std::string cluster_id;             ///< as answered now; empty: unknown
  std::string remembered_cluster_id;  ///< empty: first sight
  std::shared_ptr<const Checkpoint> checkpoint;
  std::string path;                 ///< of the checkpoint
  bool checkpoint_missing = false;  ///< there is no such directory; `checkpoint` is null
  QueryMemory remembered;           ///< of this query before this poll; empty: first sight
  std::vector<TopicComparison> topics;
  std::vector<LogView> logs;                    ///< the sink's first
  std::shared_ptr<const DataFiles> data_files;  ///< null: not scanned, or not to the end yet
  std::vector<SkipEvent> skips;                 ///< of this query, not acknowledged
  BatchId newest_batch_before = -1;             ///< at the poll before; -1: first sight
};

}  // namespace tidegauge
