#include "core/topics/incarnations.h"

#include <algorithm>
#include <utility>

namespace tidegauge {
namespace {

/// One odd answer is not a new life of the topic.
constexpr std::int64_t kConfirmingPolls = 2;

PartitionOffsets LogEnds(const TopicAnswer& answer) {
  PartitionOffsets ends;
  for (const auto& [partition, watermarks] : answer.partitions) {
    if (watermarks.log_end) ends[partition] = *watermarks.log_end;
  }
  return ends;
}

bool EndsFell(const PartitionOffsets& before, const PartitionOffsets& now) {
  return std::ranges::any_of(now, [&](const auto& end) {
    const auto seen = before.find(end.first);
    return seen != before.end() && end.second < seen->second;
  });
}

void Adopt(Ledger& ledger, const TopicKey& key, Incarnation& current, const std::string& topic_id) {
  for (auto& [binding_key, binding] : ledger.bindings) {
    if (binding.cluster_id == key.first && std::get<1>(binding_key) == key.second &&
        binding.topic_id.empty() && binding.generation == current.generation) {
      binding.topic_id = topic_id;
    }
  }
  current.topic_id = topic_id;
}

void StartLife(std::vector<Incarnation>& lives, const std::string& topic_id, Time now) {
  const std::int64_t generation = lives.empty() ? 0 : lives.back().generation + 1;
  lives.push_back({.topic_id = topic_id, .generation = generation, .first_seen = now});
  if (lives.size() > kMaxIncarnations) lives.erase(lives.begin());
}

/// Whether the ends say, without an id, that this is no longer the topic that was there before.
bool Recreated(Incarnation& current, const PartitionOffsets& ends) {
  if (!EndsFell(current.log_end, ends)) {
    current.regressions = 0;
    return false;
  }
  return ++current.regressions >= kConfirmingPolls;
}

}  // namespace

const Incarnation& NoteTopic(Ledger& ledger, const std::string& cluster_id,
                             const std::string& topic, const TopicAnswer& answer, Time now) {
  const TopicKey key{cluster_id, topic};
  std::vector<Incarnation>& lives = ledger.incarnations[key];
  const PartitionOffsets ends = LogEnds(answer);
  if (lives.empty()) {
    StartLife(lives, answer.topic_id, now);
  } else if (!answer.topic_id.empty() && lives.back().topic_id.empty()) {
    Adopt(ledger, key, lives.back(), answer.topic_id);
  } else if (!answer.topic_id.empty() && lives.back().topic_id != answer.topic_id) {
    StartLife(lives, answer.topic_id, now);
    ledger.log_start_rates.erase(key);
  } else if (answer.topic_id.empty() && Recreated(lives.back(), ends)) {
    StartLife(lives, {}, now);
    ledger.log_start_rates.erase(key);
  }
  Incarnation& current = lives.back();
  current.last_seen = now;
  if (current.regressions == 0) {
    for (const auto& [partition, end] : ends) current.log_end[partition] = end;
  }
  return current;
}

}  // namespace tidegauge
