// What must be remembered from poll to poll and over restarts. A plain value: the cycle reads and
// changes it, the daemon keeps a copy on disk, row by row. It names no machine and no process, so
// that a copy serves on another host.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/model.h"
#include "core/report.h"

namespace tidegauge {

/// One life of a topic, from creation to deletion, as far as this program saw it.
struct Incarnation {
  std::string topic_id;         ///< empty: the broker gives none
  std::int64_t generation = 0;  ///< counts the lives of this topic that were seen
  Time first_seen;
  Time last_seen;
  PartitionOffsets log_end;      ///< as last answered
  std::int64_t regressions = 0;  ///< polls in a row that saw a log end below `log_end`, without ids

  friend bool operator==(const Incarnation&, const Incarnation&) = default;
};

/// (cluster id, topic)
using TopicKey = std::pair<std::string, std::string>;
/// (query, topic, source)
using BindingKey = std::tuple<std::string, std::string, std::string>;

/// Which life of a topic the offsets in a checkpoint were written against.
struct Binding {
  std::string cluster_id;
  std::string topic_id;
  std::int64_t generation = 0;  ///< of the incarnation; -1: of one that this program never saw
  BatchId batch = -1;           ///< the batch that `position` comes from; -1: the initial offsets
  PartitionOffsets position;    ///< the offsets of that batch
  /// The generation that was current when `position` was last read.
  std::int64_t held_against = -1;
  /// Partitions of the topic that the checkpoint lacks, with its newest batch when that was first
  /// seen.
  std::map<Partition, BatchId> absent_since;
  Time bound_at;         ///< when this program first saw the query read this topic
  std::string evidence;  ///< what proved, at first sight, that it is an earlier life; or empty
  Confidence confidence = Confidence::kCertain;  ///< of that evidence

  friend bool operator==(const Binding&, const Binding&) = default;
};

/// Records of a new incarnation that a query has passed over for good.
struct SkipEvent {
  std::string query;
  std::string kafka_cluster;
  std::string topic;
  std::string source;
  BatchId batch = 0;     ///< the batch that passed over them
  std::string query_id;  ///< of the checkpoint that holds the batch
  Time seen_at;
  Bound bound = Bound::kExact;
  Confidence confidence = Confidence::kCertain;
  std::vector<FindingPartition> partitions;
  bool acknowledged = false;

  friend bool operator==(const SkipEvent&, const SkipEvent&) = default;
};

/// What is remembered of a query as a whole.
struct QueryMemory {
  std::string query_id;    ///< the id in its checkpoint's `metadata`
  std::string cluster_id;  ///< of the cluster that its offsets belong to
  BatchId newest_batch = -1;
  Time first_seen;
  Time last_seen;  ///< to the hour, so that an idle query's row is seldom written

  // Of the checkpoint in directory `checkpoint`:
  std::string checkpoint;         ///< empty: not known
  std::string former_query_id;    ///< what the id was before it changed; empty: it is as it was
  BatchId committed_batch = -1;   ///< the newest that was ever seen to have ended
  std::int64_t source_lines = 0;  ///< of its batches (version 1); 0: not known
  // Its rhythm (rhythm.h):
  Time planned_at;  ///< when `newest_batch` was planned
  /// When a new batch or commit was last seen to come; 0: never. Later, to kIdleStep, while there
  /// is nothing to read.
  Time advanced_at;
  Offset waiting = -1;       ///< records to read when it last advanced; -1: not known
  Duration longest_batch{};  ///< from plan to commit, of late; 0: not known
  Duration longest_pause{};  ///< between two plans, of late
  Duration second_pause{};   ///< and the one next to it in length

  friend bool operator==(const QueryMemory&, const QueryMemory&) = default;
};

/// A few past values of one number that mostly grows, oldest first, never more than kRateSamples.
struct RateSample {
  Time at;
  Offset value = 0;

  friend bool operator==(const RateSample&, const RateSample&) = default;
};
inline constexpr std::size_t kRateSamples = 8;
using RateSamples = std::vector<RateSample>;
using PartitionRates = std::map<Partition, RateSamples>;

/// (query, log)
using LogKey = std::pair<std::string, std::string>;
/// Sizes of the newest compact files of one log, never more than kCompactSizes.
using CompactSizes = std::map<BatchId, std::int64_t>;
inline constexpr std::size_t kCompactSizes = 8;

/// Somebody has seen what happened and says why it may rest.
struct Acknowledgement {
  FindingKey key;
  std::string who;
  std::string why;
  Time at;

  friend bool operator==(const Acknowledgement&, const Acknowledgement&) = default;
};

struct Ledger {
  /// Oldest first; the last one is current.
  std::map<TopicKey, std::vector<Incarnation>> incarnations;
  std::map<BindingKey, Binding> bindings;
  std::map<std::string, QueryMemory> queries;
  std::vector<SkipEvent> skips;
  std::map<TopicKey, PartitionRates> log_start_rates;
  std::map<BindingKey, PartitionRates> position_rates;
  std::map<LogKey, CompactSizes> compact_sizes;
  std::map<FindingKey, FindingReport> findings;   ///< resolved ones too, for a while
  std::vector<Acknowledgement> acknowledgements;  ///< in the order they were made
  std::map<std::int64_t, Event> events;           ///< by number, the newest last (events.h)
  std::map<std::string, std::uint64_t> findings_total;

  bool empty() const { return incarnations.empty() && bindings.empty() && queries.empty(); }
};

}  // namespace tidegauge
