// What a batch reads, and when Spark says that data was lost.
#include <algorithm>
#include <cmath>

#include "tests/week/simulated_spark.h"

namespace tidegauge::testing {

SimulatedQuery::Ends SimulatedQuery::LatestOf(const SimulatedKafka& kafka) const {
  Ends ends;
  for (const SourcePlan& source : plan_.sources) {
    TopicOffsets latest;
    for (const std::string& topic : source.topics) {
      for (const auto& [partition, log] : kafka.Partitions(topic)) {
        latest[topic][partition] = kafka.Latest(topic, partition, source.read_committed);
      }
    }
    ends.emplace_back(std::move(latest));
  }
  return ends;
}

std::optional<Offset> SimulatedQuery::StartOf(std::size_t source, const std::string& topic,
                                              Partition partition) const {
  const auto& start = start_[source];
  if (!start) return std::nullopt;
  const auto partitions = start->find(topic);
  if (partitions == start->end()) return std::nullopt;
  const auto found = partitions->second.find(partition);
  return found == partitions->second.end() ? std::nullopt : std::optional(found->second);
}

/// KafkaMicroBatchStream.rateLimit: each partition gets its share of maxOffsetsPerTrigger.
SimulatedQuery::Ends SimulatedQuery::Limit(const SimulatedKafka& kafka, Ends latest) const {
  if (plan_.most_records == 0) return latest;
  for (std::size_t i = 0; i < latest.size(); ++i) {
    const auto from = [&](const std::string& topic, Partition partition) {
      return StartOf(i, topic, partition).value_or(kafka.Earliest(topic, partition));
    };
    Offset waiting = 0;
    for (const auto& [topic, partitions] : *latest[i]) {
      for (const auto& [partition, end] : partitions) {
        waiting += std::max<Offset>(0, end - from(topic, partition));
      }
    }
    if (waiting <= plan_.most_records) continue;
    const double share = static_cast<double>(plan_.most_records) / static_cast<double>(waiting);
    for (auto& [topic, partitions] : *latest[i]) {
      for (auto& [partition, end] : partitions) {
        const Offset begin = from(topic, partition);
        const double part = static_cast<double>(end - begin) * share;
        if (end > begin) end = begin + static_cast<Offset>(part < 1 ? std::ceil(part) : part);
      }
    }
  }
  return latest;
}

/// KafkaOffsetReader.getOffsetRangesFromResolvedOffsets, and what the tasks then meet.
bool SimulatedQuery::LosesData(SimulatedKafka& kafka) const {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (!end_[i]) continue;
    for (const auto& [topic, ends] : *end_[i]) {
      if (!kafka.Has(topic)) return true;
      const auto& logs = kafka.Partitions(topic);
      for (const auto& [partition, end] : ends) {
        if (!logs.contains(partition)) return true;
        const Offset earliest = kafka.Earliest(topic, partition);
        const auto start = StartOf(i, topic, partition);
        const Offset from = start.value_or(0);
        if (end < from || (earliest > from && (end > from || !start))) return true;
      }
      if (!start_[i] || !start_[i]->contains(topic)) continue;
      for (const auto& [partition, offset] : start_[i]->find(topic)->second) {
        if (!ends.contains(partition)) return true;
      }
    }
  }
  return false;
}

}  // namespace tidegauge::testing
