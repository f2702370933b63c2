// The tables of the state file.
#pragma once

#include <array>
#include <cstdint>

namespace tidegauge {

/// PRAGMA user_version. Raised with every change of kSchema; a program refuses what is newer than
/// it.
inline constexpr std::int64_t kSchemaVersion = 2;

/// PRAGMA application_id: "TIDE".
inline constexpr std::int64_t kApplicationId = 0x54494445;

/// Columns have the names of the ledger's fields; how each is written, daemon/state/column.h tells.
inline constexpr const char* kSchema = R"sql(
CREATE TABLE incarnation (
  cluster_id TEXT NOT NULL, topic TEXT NOT NULL, seq INTEGER NOT NULL,
  topic_id TEXT NOT NULL, generation INTEGER NOT NULL,
  first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
  log_end TEXT NOT NULL, regressions INTEGER NOT NULL,
  PRIMARY KEY (cluster_id, topic, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE binding (
  query TEXT NOT NULL, topic TEXT NOT NULL, source TEXT NOT NULL,
  cluster_id TEXT NOT NULL, topic_id TEXT NOT NULL, generation INTEGER NOT NULL,
  batch INTEGER NOT NULL, position TEXT NOT NULL, held_against INTEGER NOT NULL,
  absent_since TEXT NOT NULL,
  bound_at INTEGER NOT NULL, evidence TEXT NOT NULL, confidence TEXT NOT NULL,
  PRIMARY KEY (query, topic, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE query (
  query TEXT NOT NULL PRIMARY KEY,
  query_id TEXT NOT NULL, cluster_id TEXT NOT NULL, newest_batch INTEGER NOT NULL,
  first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
  checkpoint TEXT NOT NULL DEFAULT '', former_query_id TEXT NOT NULL DEFAULT '',
  committed_batch INTEGER NOT NULL DEFAULT -1, source_lines INTEGER NOT NULL DEFAULT 0,
  planned_at INTEGER NOT NULL DEFAULT 0, advanced_at INTEGER NOT NULL DEFAULT 0,
  waiting INTEGER NOT NULL DEFAULT -1, longest_batch INTEGER NOT NULL DEFAULT 0,
  longest_pause INTEGER NOT NULL DEFAULT 0, second_pause INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE skip (
  seq INTEGER NOT NULL PRIMARY KEY,
  query TEXT NOT NULL, kafka_cluster TEXT NOT NULL, topic TEXT NOT NULL, source TEXT NOT NULL,
  batch INTEGER NOT NULL, query_id TEXT NOT NULL, seen_at INTEGER NOT NULL,
  bound TEXT NOT NULL, confidence TEXT NOT NULL, partitions TEXT NOT NULL,
  acknowledged INTEGER NOT NULL
) STRICT;

CREATE TABLE log_start_rate (
  cluster_id TEXT NOT NULL, topic TEXT NOT NULL, samples TEXT NOT NULL,
  PRIMARY KEY (cluster_id, topic)
) STRICT;

CREATE TABLE position_rate (
  query TEXT NOT NULL, topic TEXT NOT NULL, source TEXT NOT NULL, samples TEXT NOT NULL,
  PRIMARY KEY (query, topic, source)
) STRICT;

CREATE TABLE compact_size (
  query TEXT NOT NULL, log TEXT NOT NULL, sizes TEXT NOT NULL,
  PRIMARY KEY (query, log)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding (
  kind TEXT NOT NULL, query TEXT NOT NULL, kafka_cluster TEXT NOT NULL, topic TEXT NOT NULL,
  source TEXT NOT NULL, log TEXT NOT NULL,
  severity TEXT NOT NULL, confidence TEXT NOT NULL, direction TEXT NOT NULL, evidence TEXT NOT NULL,
  records INTEGER, records_bound TEXT NOT NULL, batch INTEGER, batches_left INTEGER,
  expected_at INTEGER, missing TEXT NOT NULL,
  partitions TEXT NOT NULL, summary TEXT NOT NULL,
  phase TEXT NOT NULL, pending_since INTEGER NOT NULL, firing_since INTEGER, resolved_at INTEGER,
  flaps INTEGER NOT NULL, gone_since INTEGER,
  PRIMARY KEY (kind, query, kafka_cluster, topic, source, log)
) STRICT;

CREATE TABLE findings_total (
  kind TEXT NOT NULL PRIMARY KEY, total INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  seq INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL,
  kind TEXT NOT NULL, query TEXT NOT NULL, kafka_cluster TEXT NOT NULL, topic TEXT NOT NULL,
  source TEXT NOT NULL, log TEXT NOT NULL,
  severity TEXT NOT NULL, firing_since INTEGER, text TEXT NOT NULL
) STRICT;

-- Other processes add to this one at any time. A seq is never used twice.
CREATE TABLE acknowledgement (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL, query TEXT NOT NULL, kafka_cluster TEXT NOT NULL, topic TEXT NOT NULL,
  source TEXT NOT NULL, log TEXT NOT NULL,
  who TEXT NOT NULL, why TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
)sql";

/// How a file of version N becomes one of version N + 1, from version 1 on. A row keeps all it has.
inline constexpr std::array<const char*, kSchemaVersion - 1> kMigrations{
    // 2: findings about logs, and the sizes of these; rhythm and identity of queries; events.
    R"sql(
ALTER TABLE finding RENAME TO finding_1;
CREATE TABLE finding (
  kind TEXT NOT NULL, query TEXT NOT NULL, kafka_cluster TEXT NOT NULL, topic TEXT NOT NULL,
  source TEXT NOT NULL, log TEXT NOT NULL,
  severity TEXT NOT NULL, confidence TEXT NOT NULL, direction TEXT NOT NULL, evidence TEXT NOT NULL,
  records INTEGER, records_bound TEXT NOT NULL, batch INTEGER, batches_left INTEGER,
  expected_at INTEGER, missing TEXT NOT NULL,
  partitions TEXT NOT NULL, summary TEXT NOT NULL,
  phase TEXT NOT NULL, pending_since INTEGER NOT NULL, firing_since INTEGER, resolved_at INTEGER,
  flaps INTEGER NOT NULL, gone_since INTEGER,
  PRIMARY KEY (kind, query, kafka_cluster, topic, source, log)
) STRICT;
INSERT INTO finding
  SELECT kind, query, kafka_cluster, topic, source, '', severity, confidence, direction, evidence,
         records, records_bound, batch, NULL, expected_at, '', partitions, summary, phase,
         pending_since, firing_since, resolved_at, 0, NULL
  FROM finding_1;
DROP TABLE finding_1;
ALTER TABLE acknowledgement ADD COLUMN log TEXT NOT NULL DEFAULT '';
ALTER TABLE query ADD COLUMN checkpoint TEXT NOT NULL DEFAULT '';
ALTER TABLE query ADD COLUMN former_query_id TEXT NOT NULL DEFAULT '';
ALTER TABLE query ADD COLUMN committed_batch INTEGER NOT NULL DEFAULT -1;
ALTER TABLE query ADD COLUMN source_lines INTEGER NOT NULL DEFAULT 0;
ALTER TABLE query ADD COLUMN planned_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE query ADD COLUMN advanced_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE query ADD COLUMN waiting INTEGER NOT NULL DEFAULT -1;
ALTER TABLE query ADD COLUMN longest_batch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE query ADD COLUMN longest_pause INTEGER NOT NULL DEFAULT 0;
ALTER TABLE query ADD COLUMN second_pause INTEGER NOT NULL DEFAULT 0;
CREATE TABLE compact_size (
  query TEXT NOT NULL, log TEXT NOT NULL, sizes TEXT NOT NULL,
  PRIMARY KEY (query, log)
) STRICT, WITHOUT ROWID;
CREATE TABLE event (
  seq INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL,
  kind TEXT NOT NULL, query TEXT NOT NULL, kafka_cluster TEXT NOT NULL, topic TEXT NOT NULL,
  source TEXT NOT NULL, log TEXT NOT NULL,
  severity TEXT NOT NULL, firing_since INTEGER, text TEXT NOT NULL
) STRICT;
)sql"};

}  // namespace tidegauge
