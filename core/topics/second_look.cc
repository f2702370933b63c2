#include "core/topics/second_look.h"

#include <algorithm>
#include <utility>

namespace tidegauge {
namespace {

bool IsOddAt(const PartitionOffsets& position, const TopicAnswer& answer) {
  return std::ranges::any_of(position, [&](const auto& next) {
    const auto found = answer.partitions.find(next.first);
    if (found == answer.partitions.end()) return true;
    const PartitionWatermarks& watermarks = found->second;
    return (watermarks.log_end && *watermarks.log_end < next.second) ||
           (watermarks.log_start && *watermarks.log_start > next.second);
  });
}

bool EndsFell(const Ledger& ledger, const TopicKey& key, const TopicAnswer& answer) {
  const auto lives = ledger.incarnations.find(key);
  if (lives == ledger.incarnations.end() || lives->second.empty()) return false;
  const Incarnation& current = lives->second.back();
  return current.topic_id == answer.topic_id &&
         std::ranges::any_of(answer.partitions, [&](const auto& partition) {
           const auto seen = current.log_end.find(partition.first);
           return seen != current.log_end.end() && partition.second.log_end &&
                  *partition.second.log_end < seen->second;
         });
}

bool IsOdd(const SourceTopic& position, const ClusterAnswer& answer, const Ledger& ledger) {
  const auto topic = answer.topics.find(position.topic);
  if (topic == answer.topics.end()) return false;
  if (topic->second.presence == TopicPresence::kMissing) return true;
  if (topic->second.presence == TopicPresence::kUnknown) return false;
  return IsOddAt(position.offsets, topic->second) ||
         EndsFell(ledger, {answer.cluster_id, position.topic}, topic->second);
}

}  // namespace

Questions OddAnswers(const Readings& readings, const Answers& answers, const Ledger& ledger) {
  Questions odd;
  for (const Reading& reading : readings.queries) {
    const auto asked = answers.find(reading.target.kafka_cluster);
    if (!reading.checkpoint || asked == answers.end() || !asked->second.answer) continue;
    for (const SourceTopic& position : (*reading.checkpoint)->position) {
      if (IsOdd(position, *asked->second.answer, ledger)) {
        odd[reading.target.kafka_cluster].insert(position.topic);
      }
    }
  }
  return odd;
}

void TakeSecondAnswers(Answers& answers, Answers second, const Questions& asked) {
  for (const auto& [cluster, topics] : asked) {
    Asked& first = answers.at(cluster);
    const auto again = second.find(cluster);
    const bool answered = again != second.end() && again->second.answer;
    for (const std::string& topic : topics) {
      TopicAnswer& taken = first.answer->topics[topic];
      if (answered) {
        taken = std::move(again->second.answer->topics[topic]);
      } else {
        taken = {.error = "an odd answer could not be confirmed"};
      }
    }
  }
}

}  // namespace tidegauge
