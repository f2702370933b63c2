#include "core/topics/compare.h"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "core/history/rates.h"
#include "core/topics/bindings.h"

namespace tidegauge {
namespace {

const SourceTopic* Find(const std::vector<SourceTopic>& topics, const SourceTopic& wanted) {
  const auto found = std::ranges::find_if(topics, [&](const SourceTopic& candidate) {
    return candidate.topic == wanted.topic && candidate.source == wanted.source;
  });
  return found == topics.end() ? nullptr : &*found;
}

std::optional<Offset> OffsetOf(const PartitionOffsets& offsets, Partition partition) {
  const auto found = offsets.find(partition);
  if (found == offsets.end()) return std::nullopt;
  return found->second;
}

const Incarnation* Current(const Ledger& ledger, const TopicKey& key) {
  const auto lives = ledger.incarnations.find(key);
  if (lives == ledger.incarnations.end() || lives->second.empty()) return nullptr;
  return &lives->second.back();
}

/// What says that the offsets belong to an earlier life, strongest first.
std::vector<std::string> Evidence(const Binding& binding, const std::string& cluster_id,
                                  const Incarnation& current) {
  std::vector<std::string> evidence;
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  if (differ(binding.cluster_id, cluster_id)) evidence.emplace_back("cluster_id");
  if (differ(binding.topic_id, current.topic_id)) evidence.emplace_back("topic_id");
  if (!binding.evidence.empty()) evidence.push_back(binding.evidence);
  if (evidence.empty()) evidence.emplace_back("regression");
  return evidence;
}

void Judge(TopicComparison& topic, const Binding& binding, const std::string& cluster_id,
           const Incarnation& current) {
  topic.belongs = Belongs::kCurrent;
  if (BelongsTo(binding, cluster_id, current)) return;
  topic.belongs = Belongs::kEarlier;
  topic.evidence = Evidence(binding, cluster_id, current);
  const std::string& strongest = topic.evidence.front();
  topic.confidence = strongest == "regression"       ? Confidence::kLikely
                     : strongest == binding.evidence ? binding.confidence
                                                     : Confidence::kCertain;
}

const RateSamples* SamplesOf(const PartitionRates* rates, Partition partition) {
  if (rates == nullptr) return nullptr;
  const auto samples = rates->find(partition);
  return samples == rates->end() ? nullptr : &samples->second;
}

void Measure(PartitionComparison& partition, const RateSamples* log_start,
             const RateSamples* position, Time now) {
  if (log_start != nullptr && partition.log_start) {
    partition.log_start_rate = RatePerSecond(*log_start, now, *partition.log_start);
  }
  if (position != nullptr && partition.position) {
    partition.position_rate = RatePerSecond(*position, now, *partition.position);
    partition.position_rate_lately = RateLately(*position, now, *partition.position);
  }
}

template <typename Map, typename Key>
const typename Map::mapped_type* FindIn(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// Those of the checkpoint and those of the topic, ascending.
std::vector<PartitionComparison> Partitions(
    const PartitionOffsets& position, const std::map<Partition, PartitionWatermarks>& answer) {
  std::vector<PartitionComparison> partitions;
  partitions.reserve(std::max(position.size(), answer.size()));
  auto next = position.begin();
  auto listed = answer.begin();
  while (next != position.end() || listed != answer.end()) {
    const bool has_position =
        next != position.end() && (listed == answer.end() || next->first <= listed->first);
    const bool is_listed =
        listed != answer.end() && (next == position.end() || listed->first <= next->first);
    PartitionComparison partition{.partition = has_position ? next->first : listed->first,
                                  .listed = is_listed};
    if (has_position) partition.position = (next++)->second;
    if (is_listed) {
      partition.log_start = listed->second.log_start;
      partition.log_end = listed->second.log_end;
      ++listed;
    }
    partitions.push_back(partition);
  }
  return partitions;
}

}  // namespace

TopicComparison Compare(const Checkpoint& checkpoint, const SourceTopic& position,
                        const TopicAnswer& answer, const Binding* binding,
                        const std::string& cluster_id, const Ledger& ledger,
                        const std::string& query, Time now) {
  TopicComparison topic{.topic = position.topic,
                        .source = position.source,
                        .presence = answer.presence,
                        .error = answer.error,
                        .batch = position.batch};
  const TopicKey topic_key{cluster_id, position.topic};
  const Incarnation* current = Current(ledger, topic_key);
  if (binding != nullptr && current != nullptr) Judge(topic, *binding, cluster_id, *current);
  const SourceTopic* in_flight = Find(checkpoint.in_flight, position);
  if (in_flight != nullptr) topic.in_flight_batch = in_flight->batch;

  const PartitionRates* starts = FindIn(ledger.log_start_rates, topic_key);
  const PartitionRates* positions =
      FindIn(ledger.position_rates, BindingKey{query, position.topic, position.source});
  const BatchId newest = checkpoint.newest_batch.value_or(-1);
  topic.partitions = Partitions(position.offsets, answer.partitions);
  for (PartitionComparison& partition : topic.partitions) {
    const Partition number = partition.partition;
    if (in_flight != nullptr) partition.in_flight_end = OffsetOf(in_flight->offsets, number);
    partition.passed_by = binding != nullptr && !partition.position && !partition.in_flight_end &&
                          PassedBy(*binding, number, newest);
    Measure(partition, SamplesOf(starts, number), SamplesOf(positions, number), now);
  }
  return topic;
}

std::string WhyUnknown(const TopicComparison& topic) {
  if (topic.presence == TopicPresence::kUnknown) {
    return fmt::format("topic {}: {}", topic.topic,
                       topic.error.empty() ? "Kafka did not answer" : topic.error);
  }
  const auto silent = std::ranges::count_if(topic.partitions, [](const auto& partition) {
    return partition.listed && (!partition.log_start || !partition.log_end);
  });
  if (silent == 0) return {};
  return fmt::format("topic {}: Kafka gave no offsets for {} of {} partitions", topic.topic, silent,
                     topic.partitions.size());
}

}  // namespace tidegauge
