#include "daemon/state/ledger_rows.h"

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tidegauge {
namespace {

// Each table names its columns once, in Key and Value, for a visitor that lists, writes or reads
// them. The structured bindings are there so that a new field of the ledger cannot be forgotten
// here.

struct Describe {
  std::vector<std::string> columns;
  void operator()(const char* name, const auto& /*field*/) { columns.emplace_back(name); }
};

struct Encode {
  Row row;
  void operator()(const char* /*name*/, const auto& field) { row.push_back(ToValue(field)); }
};

struct Decode {
  const Row& row;
  std::size_t next = 0;
  bool good = true;
  void operator()(const char* /*name*/, auto& field) {
    good = good && next < row.size() && FromValue(row[next], field);
    ++next;
  }
};

void VisitFindingKey(auto& io, auto& key) {
  auto& [kind, query, kafka_cluster, topic, source, log] = key;
  io("kind", kind);
  io("query", query);
  io("kafka_cluster", kafka_cluster);
  io("topic", topic);
  io("source", source);
  io("log", log);
}

void VisitAcknowledgement(auto& io, auto& acknowledgement) {
  auto& [key, who, why, at] = acknowledgement;
  VisitFindingKey(io, key);
  io("who", who);
  io("why", why);
  io("at", at);
}

/// A table of which each row is one entry of the map `kMember`.
template <auto kMember>
struct MapTable {
  using Map = std::remove_reference_t<decltype(std::declval<Ledger>().*kMember)>;
  using KeyType = typename Map::key_type;
  using ValueType = typename Map::mapped_type;

  static void Each(const Ledger& ledger, const auto& visit) {
    for (const auto& [key, value] : ledger.*kMember) visit(key, value);
  }
  static void Put(Ledger& ledger, KeyType key, ValueType value) {
    (ledger.*kMember).insert_or_assign(std::move(key), std::move(value));
  }
};

struct Incarnations {
  static constexpr const char* kName = "incarnation";
  using KeyType = std::pair<TopicKey, std::int64_t>;
  using ValueType = Incarnation;

  static void Each(const Ledger& ledger, const auto& visit) {
    for (const auto& [topic, lives] : ledger.incarnations) {
      KeyType key(topic, 0);
      for (const Incarnation& life : lives) {
        visit(std::as_const(key), life);
        ++key.second;
      }
    }
  }
  static void Put(Ledger& ledger, const KeyType& key, ValueType value) {
    ledger.incarnations[key.first].push_back(std::move(value));
  }
  static void Key(auto& io, auto& key) {
    io("cluster_id", key.first.first);
    io("topic", key.first.second);
    io("seq", key.second);
  }
  static void Value(auto& io, auto& value) {
    auto& [topic_id, generation, first_seen, last_seen, log_end, regressions] = value;
    io("topic_id", topic_id);
    io("generation", generation);
    io("first_seen", first_seen);
    io("last_seen", last_seen);
    io("log_end", log_end);
    io("regressions", regressions);
  }
};

void VisitTopicKey(auto& io, auto& key) {
  io("cluster_id", key.first);
  io("topic", key.second);
}

void VisitBindingKey(auto& io, auto& key) {
  auto& [query, topic, source] = key;
  io("query", query);
  io("topic", topic);
  io("source", source);
}

struct Bindings : MapTable<&Ledger::bindings> {
  static constexpr const char* kName = "binding";

  static void Key(auto& io, auto& key) { VisitBindingKey(io, key); }
  static void Value(auto& io, auto& value) {
    auto& [cluster_id, topic_id, generation, batch, position, held_against, absent_since, bound_at,
           evidence, confidence] = value;
    io("cluster_id", cluster_id);
    io("topic_id", topic_id);
    io("generation", generation);
    io("batch", batch);
    io("position", position);
    io("held_against", held_against);
    io("absent_since", absent_since);
    io("bound_at", bound_at);
    io("evidence", evidence);
    io("confidence", confidence);
  }
};

struct Queries : MapTable<&Ledger::queries> {
  static constexpr const char* kName = "query";

  static void Key(auto& io, auto& key) { io("query", key); }
  static void Value(auto& io, auto& value) {
    auto& [query_id, cluster_id, newest_batch, first_seen, last_seen, checkpoint, former_query_id,
           committed_batch, source_lines, planned_at, advanced_at, waiting, longest_batch,
           longest_pause, second_pause] = value;
    io("query_id", query_id);
    io("cluster_id", cluster_id);
    io("newest_batch", newest_batch);
    io("first_seen", first_seen);
    io("last_seen", last_seen);
    io("checkpoint", checkpoint);
    io("former_query_id", former_query_id);
    io("committed_batch", committed_batch);
    io("source_lines", source_lines);
    io("planned_at", planned_at);
    io("advanced_at", advanced_at);
    io("waiting", waiting);
    io("longest_batch", longest_batch);
    io("longest_pause", longest_pause);
    io("second_pause", second_pause);
  }
};

struct Skips {
  static constexpr const char* kName = "skip";
  using KeyType = std::int64_t;
  using ValueType = SkipEvent;

  static void Each(const Ledger& ledger, const auto& visit) {
    KeyType seq = 0;
    for (const SkipEvent& skip : ledger.skips) {
      visit(std::as_const(seq), skip);
      ++seq;
    }
  }
  static void Put(Ledger& ledger, KeyType /*seq*/, ValueType value) {
    ledger.skips.push_back(std::move(value));
  }
  static void Key(auto& io, auto& key) { io("seq", key); }
  static void Value(auto& io, auto& value) {
    auto& [query, kafka_cluster, topic, source, batch, query_id, seen_at, bound, confidence,
           partitions, acknowledged] = value;
    io("query", query);
    io("kafka_cluster", kafka_cluster);
    io("topic", topic);
    io("source", source);
    io("batch", batch);
    io("query_id", query_id);
    io("seen_at", seen_at);
    io("bound", bound);
    io("confidence", confidence);
    io("partitions", partitions);
    io("acknowledged", acknowledged);
  }
};

struct LogStartRates : MapTable<&Ledger::log_start_rates> {
  static constexpr const char* kName = "log_start_rate";

  static void Key(auto& io, auto& key) { VisitTopicKey(io, key); }
  static void Value(auto& io, auto& value) { io("samples", value); }
};

struct PositionRates : MapTable<&Ledger::position_rates> {
  static constexpr const char* kName = "position_rate";

  static void Key(auto& io, auto& key) { VisitBindingKey(io, key); }
  static void Value(auto& io, auto& value) { io("samples", value); }
};

struct CompactSizesOfLogs : MapTable<&Ledger::compact_sizes> {
  static constexpr const char* kName = "compact_size";

  static void Key(auto& io, auto& key) {
    io("query", key.first);
    io("log", key.second);
  }
  static void Value(auto& io, auto& value) { io("sizes", value); }
};

struct Findings : MapTable<&Ledger::findings> {
  static constexpr const char* kName = "finding";

  static void Put(Ledger& ledger, const KeyType& key, ValueType value) {
    value.finding.key = key;
    ledger.findings.insert_or_assign(key, std::move(value));
  }
  static void Key(auto& io, auto& key) { VisitFindingKey(io, key); }
  static void Value(auto& io, auto& value) {
    auto& [finding, phase, pending_since, firing_since, resolved_at, flaps, gone_since] = value;
    auto& [key, severity, confidence, direction, evidence, records, records_bound, batch,
           batches_left, expected_at, missing, partitions, summary] = finding;
    io("severity", severity);
    io("confidence", confidence);
    io("direction", direction);
    io("evidence", evidence);
    io("records", records);
    io("records_bound", records_bound);
    io("batch", batch);
    io("batches_left", batches_left);
    io("expected_at", expected_at);
    io("missing", missing);
    io("partitions", partitions);
    io("summary", summary);
    io("phase", phase);
    io("pending_since", pending_since);
    io("firing_since", firing_since);
    io("resolved_at", resolved_at);
    io("flaps", flaps);
    io("gone_since", gone_since);
  }
};

struct FindingsTotal : MapTable<&Ledger::findings_total> {
  static constexpr const char* kName = "findings_total";

  static void Key(auto& io, auto& key) { io("kind", key); }
  static void Value(auto& io, auto& value) { io("total", value); }
};

struct Events : MapTable<&Ledger::events> {
  static constexpr const char* kName = "event";

  static void Key(auto& io, auto& key) { io("seq", key); }
  static void Value(auto& io, auto& value) {
    auto& [at, type, key, severity, firing_since, text] = value;
    io("at", at);
    io("type", type);
    VisitFindingKey(io, key);
    io("severity", severity);
    io("firing_since", firing_since);
    io("text", text);
  }
};

template <typename... T>
struct TableList {};
using Tables = TableList<Incarnations, Bindings, Queries, Skips, LogStartRates, PositionRates,
                         CompactSizesOfLogs, Findings, FindingsTotal, Events>;

template <typename T>
LedgerTable DescribeTable() {
  typename T::KeyType no_key{};
  typename T::ValueType no_value{};
  Describe key;
  Describe all;
  T::Key(key, std::as_const(no_key));
  T::Key(all, std::as_const(no_key));
  T::Value(all, std::as_const(no_value));
  return {T::kName, std::move(all.columns), key.columns.size()};
}

template <typename T>
void EncodeTable(const Ledger& ledger, std::size_t index, const auto& sink) {
  T::Each(ledger, [&](const auto& key, const auto& value) {
    Encode io;
    T::Key(io, key);
    T::Value(io, value);
    sink(index, std::move(io.row));
  });
}

template <typename T>
bool DecodeRow(Ledger& ledger, const Row& row) {
  typename T::KeyType key{};
  typename T::ValueType value{};
  Decode io{row};
  T::Key(io, key);
  T::Value(io, value);
  if (io.good) T::Put(ledger, std::move(key), std::move(value));
  return io.good;
}

template <typename... T>
std::vector<LedgerTable> DescribeAll(TableList<T...> /*tables*/) {
  return {DescribeTable<T>()...};
}

template <typename... T>
void EncodeAll(TableList<T...> /*tables*/, const Ledger& ledger, const auto& sink) {
  std::size_t index = 0;
  (EncodeTable<T>(ledger, index++, sink), ...);
}

template <typename... T>
bool DecodeOne(TableList<T...> /*tables*/, Ledger& ledger, std::size_t table, const Row& row) {
  std::size_t index = 0;
  return ((index++ == table && DecodeRow<T>(ledger, row)) || ...);
}

}  // namespace

const std::vector<LedgerTable>& LedgerTables() {
  static const std::vector<LedgerTable> kTables = DescribeAll(Tables());
  return kTables;
}

void ForEachRow(const Ledger& ledger, const std::function<void(std::size_t, Row)>& sink) {
  EncodeAll(Tables(), ledger, sink);
}

bool AddRow(Ledger& ledger, std::size_t table, const Row& row) {
  return DecodeOne(Tables(), ledger, table, row);
}

const std::vector<std::string>& AcknowledgementColumns() {
  static const std::vector<std::string> kColumns = [] {
    Describe io;
    const Acknowledgement none;
    VisitAcknowledgement(io, none);
    return std::move(io.columns);
  }();
  return kColumns;
}

Row ToRow(const Acknowledgement& acknowledgement) {
  Encode io;
  VisitAcknowledgement(io, acknowledgement);
  return std::move(io.row);
}

bool FromRow(const Row& row, Acknowledgement& acknowledgement) {
  Decode io{row};
  VisitAcknowledgement(io, acknowledgement);
  return io.good;
}

}  // namespace tidegauge
