// How the types of the ledger stand in a column: numbers as INTEGER, times and durations as
// milliseconds, all else as text that a person can read in the sqlite3 shell. Exact both ways.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/history/ledger.h"
#include "core/model.h"
#include "core/report.h"

namespace tidegauge {

/// NULL, INTEGER or TEXT.
using Value = std::variant<std::monostate, std::int64_t, std::string>;

Value ToValue(const std::string& text);
Value ToValue(std::int64_t number);
Value ToValue(std::uint64_t number);
Value ToValue(bool flag);
Value ToValue(Time time);
Value ToValue(Duration duration);
Value ToValue(const std::optional<std::int64_t>& number);
Value ToValue(const std::optional<Time>& time);
Value ToValue(Severity severity);
Value ToValue(Confidence confidence);
Value ToValue(Bound bound);
Value ToValue(Phase phase);
Value ToValue(EventType type);
/// `5:hello3:you`: each with its length in bytes.
Value ToValue(const std::vector<std::string>& texts);
/// `0=500 1=600`
Value ToValue(const std::map<Partition, std::int64_t>& numbers);
Value ToValue(const std::map<BatchId, std::int64_t>& numbers);
/// `0=1796009000000:500,30000:20 1=`: a sample's time and value, then how far each next one is from
/// it.
Value ToValue(const PartitionRates& rates);
/// `0 500 0 800 500;1 600 ? ? ?`: partition, checkpoint, log start, log end, records.
Value ToValue(const std::vector<FindingPartition>& partitions);

/// The other way. False: `value` is nothing that ToValue makes, and what was assigned is of no use.
bool FromValue(const Value& value, std::string& text);
bool FromValue(const Value& value, std::int64_t& number);
bool FromValue(const Value& value, std::uint64_t& number);
bool FromValue(const Value& value, bool& flag);
bool FromValue(const Value& value, Time& time);
bool FromValue(const Value& value, Duration& duration);
bool FromValue(const Value& value, std::optional<std::int64_t>& number);
bool FromValue(const Value& value, std::optional<Time>& time);
bool FromValue(const Value& value, Severity& severity);
bool FromValue(const Value& value, Confidence& confidence);
bool FromValue(const Value& value, Bound& bound);
bool FromValue(const Value& value, Phase& phase);
bool FromValue(const Value& value, EventType& type);
bool FromValue(const Value& value, std::vector<std::string>& texts);
bool FromValue(const Value& value, std::map<Partition, std::int64_t>& numbers);
bool FromValue(const Value& value, std::map<BatchId, std::int64_t>& numbers);
bool FromValue(const Value& value, PartitionRates& rates);
bool FromValue(const Value& value, std::vector<FindingPartition>& partitions);

}  // namespace tidegauge
