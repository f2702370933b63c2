// Everything one poll found. Immutable once built: the HTTP side, `check` and the log share a
// pointer to it and see nothing else. What is absent here is unknown, and is shown as absent.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/ports.h"

namespace tidegauge {

struct PartitionReport {
  Partition partition = 0;
  std::optional<Offset> position;  ///< absent: the checkpoint does not know this partition
  std::optional<Offset> log_start;
  std::optional<Offset> log_end;
};

/// One topic as one query reads it.
struct TopicReport {
  std::string topic;
  std::string source;  ///< set only when two sources of the query read this topic differently
  TopicPresence presence = TopicPresence::kUnknown;
  std::string topic_id;
  std::vector<PartitionReport> partitions;  ///< ascending
};

/// One compactible log of a query. What is absent is unknown, or has no meaning at present.
struct LogReport {
  std::string log;  ///< `sink`, or `source K`
  bool up = false;  ///< it was read in this poll
  std::optional<BatchId> newest_batch;
  std::optional<std::int64_t> interval;  ///< what a restart would derive
  std::optional<BatchId> next_compaction;
  std::optional<std::int64_t> missing;       ///< absent files that a reader or the compaction needs
  std::optional<std::int64_t> batches_left;  ///< until the compaction that will fail
  std::optional<Time> failure_expected_at;
  std::optional<std::int64_t> compact_bytes;   ///< of the newest compact file
  std::optional<std::int64_t> compact_growth;  ///< from one compact file to the next
  std::optional<Time> compact_written_at;      ///< the newest compact file
  /// How long the batch took that wrote it, from its plan on.
  std::optional<Duration> compaction_took;
};

/// The sink's data files held against its log.
struct DataFilesReport {
  double progress = 0;           ///< 0 to 1, of the scan that runs; 1: none runs
  std::optional<Time> ended_at;  ///< when the last whole scan ended; absent: none has
  /// What it found; absent without one.
  std::optional<std::int64_t> listed;
  std::optional<std::int64_t> listed_bytes;
  std::optional<std::int64_t> missing;
  std::optional<std::int64_t> truncated;
  std::optional<std::int64_t> outside_root;
  std::optional<std::int64_t> orphans;
};

enum class QueryState { kOk, kFindings, kUnknown };

std::string_view ToString(QueryState state);

struct QueryReport {
  std::string query;
  std::string checkpoint;
  std::string kafka_cluster;  ///< empty: this query is not compared with Kafka
  QueryState state = QueryState::kUnknown;
  std::vector<std::string> unknown;  ///< what could not be judged, and why; empty: nothing
  bool checkpoint_up = false;        ///< the checkpoint was read in this poll
  std::string query_id;
  std::optional<BatchId> newest_batch;
  std::optional<BatchId> committed_batch;
  std::optional<Time> newest_batch_at;  ///< when the newest batch was planned
  std::optional<Time> baseline_at;      ///< since when this query's topics are remembered
  std::size_t unmonitored_sources = 0;  ///< sources that are not Kafka
  std::vector<TopicReport> topics;
  std::vector<LogReport> logs;                ///< the sink's first
  std::optional<DataFilesReport> data_files;  ///< absent: they are not scanned
};

struct ClusterReport {
  std::string kafka_cluster;  ///< its name in the configuration
  bool up = false;            ///< it answered in this poll
  std::string error;          ///< why not
  std::string cluster_id;
  Duration took{};                      ///< how long the questions took
  std::optional<Time> last_success_at;  ///< absent: not since the start
};

enum class Phase { kPending, kFiring, kResolved };

std::string_view ToString(Phase phase);
std::optional<Phase> ParsePhase(std::string_view text);

/// A finding and its life: pending until it has held for its hold time, then firing, then resolved.
struct FindingReport {
  Finding finding;
  Phase phase = Phase::kPending;
  Time pending_since;
  std::optional<Time> firing_since;
  std::optional<Time> resolved_at;  ///< when it last was; a pending one may be back
  std::int64_t flaps = 0;           ///< how often it came back soon after it was resolved
  /// Since when it fires though it is gone, because it came back too often (lifecycle.h).
  std::optional<Time> gone_since;

  friend bool operator==(const FindingReport&, const FindingReport&) = default;
};

enum class EventType { kFiring, kResolved, kAcknowledged };

std::string_view ToString(EventType type);
std::optional<EventType> ParseEventType(std::string_view text);

/// What once happened to a finding.
struct Event {
  Time at;
  EventType type = EventType::kFiring;
  FindingKey key;
  Severity severity = Severity::kCritical;
  std::optional<Time> firing_since;  ///< kResolved: what ended
  std::string text;                  ///< kFiring: its summary; kAcknowledged: who, and why

  friend bool operator==(const Event&, const Event&) = default;
};

struct Report {
  Time polled_at;
  Duration took{};
  std::uint64_t poll = 0;    ///< how many polls this process has completed, this one included
  bool first_sight = false;  ///< nothing was remembered before this poll
  std::vector<ClusterReport> clusters;  ///< by name
  std::vector<QueryReport> queries;     ///< by name
  std::vector<FindingReport> findings;  ///< pending and firing ones; by severity, then key
  std::vector<std::string>
      unknown;  ///< what concerns no single query (a pattern that matched nothing)
  std::vector<FindingReport> resolved;                  ///< within a day
  std::map<std::string, std::uint64_t> findings_total;  ///< by kind: how often one began to fire
  std::vector<Event> history;  ///< newest first; of queries that are gone, too
  std::map<std::string, std::uint64_t> errors_total;  ///< by reason: storage, kafka, state
  bool state_kept = true;        ///< there is a place where what was learnt should be kept
  bool state_persistent = true;  ///< what was learnt reached it
};

using ReportPtr = std::shared_ptr<const Report>;

}  // namespace tidegauge
