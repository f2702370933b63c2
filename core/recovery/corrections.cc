#include "core/recovery/corrections.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace tidegauge {
namespace {

constexpr Offset kEarliest = -2;

using NewOffset = std::optional<Offset> (*)(const FindingPartition&);

const std::map<std::string, NewOffset, std::less<>>& NewOffsets() {
  const auto at_log_start = [](const FindingPartition& row) { return row.log_start; };
  const auto at_log_end = [](const FindingPartition& row) { return row.log_end; };
  static const std::map<std::string, NewOffset, std::less<>> kKinds = {
      {"topic_recreated", at_log_start},
      {"records_expired", at_log_start},
      {"new_partition_not_from_start", at_log_start},
      {"end_below_checkpoint", at_log_end},
  };
  return kKinds;
}

}  // namespace

bool IsCorrectable(const Finding& finding) {
  // Two sources that read one topic differently: a person has to tell which line is which.
  if (!finding.key.source.empty()) return false;
  return finding.key.kind == "partition_missing" || NewOffsets().contains(finding.key.kind);
}

Corrections CorrectionsFor(const std::vector<Finding>& findings) {
  Corrections corrections;
  for (const Finding& finding : findings) {
    if (!IsCorrectable(finding)) continue;
    const auto kind = NewOffsets().find(finding.key.kind);
    for (const FindingPartition& row : finding.partitions) {
      if (kind == NewOffsets().end()) {
        corrections[finding.key.topic][row.partition] = std::nullopt;
      } else if (const auto offset = kind->second(row)) {
        corrections[finding.key.topic][row.partition] = offset;
      }
    }
  }
  return corrections;
}

std::string StartingOffsets(const QueryReport& query, const Corrections& corrections) {
  std::vector<std::string> topics;
  for (const TopicReport& topic : query.topics) {
    if (!topic.source.empty()) continue;
    const auto corrected = corrections.find(topic.topic);
    std::vector<std::string> numbers;
    for (const PartitionReport& partition : topic.partitions) {
      std::optional<Offset> offset = partition.position.value_or(kEarliest);
      if (corrected != corrections.end()) {
        const auto other = corrected->second.find(partition.partition);
        if (other != corrected->second.end()) offset = other->second;
      }
      if (offset) numbers.push_back(fmt::format("\"{}\":{}", partition.partition, *offset));
    }
    topics.push_back(fmt::format("\"{}\":{{{}}}", topic.topic, fmt::join(numbers, ",")));
  }
  return topics.empty() ? std::string() : fmt::format("{{{}}}", fmt::join(topics, ","));
}

}  // namespace tidegauge
