#include "core/topics/incarnations.h"

#include <algorithm>
#include <utility>

namespace tidegauge {
namespace {

/// One odd answer is not a new life of the topic.
constexpr std::int64_t kConfirmingPolls = 2;

/// Some end lies below one seen before, in a log that starts at 0 as a new one does.
bool EndsFell(const PartitionOffsets& before, const TopicAnswer& answer) {
  bool fell = false;
  for (const auto& [partition, watermarks] : answer.partitions) {
    const auto seen = before.find(partition);
    if (seen == before.end() || !watermarks.log_end || *watermarks.log_end >= seen->second)
      continue;
    if (watermarks.log_start.value_or(0) > 0) return false;
    fell = true;
  }
  return fell;
}

/// The id of the current life, which began before the broker gave ids.
void Adopt(Ledger& ledger, const TopicKey& key, Incarnation& current, const std::string& topic_id) {
  for (auto& [binding_key, binding] : ledger.bindings) {
    if (binding.cluster_id == key.first && std::get<1>(binding_key) == key.second &&
        binding.topic_id.empty() && binding.generation == current.generation) {
      binding.topic_id = topic_id;
    }
  }
  current.topic_id = topic_id;
}

void StartLife(Ledger& ledger, const TopicKey& key, const std::string& topic_id, Time now) {
  std::vector<Incarnation>& lives = ledger.incarnations[key];
  std::int64_t generation = 0;
  for (const Incarnation& life : lives) generation = std::max(generation, life.generation + 1);
  lives.push_back({.topic_id = topic_id, .generation = generation, .first_seen = now});
  if (lives.size() > kMaxIncarnations) lives.erase(lives.begin());
  ledger.log_start_rates.erase(key);
}

void NoteId(Ledger& ledger, const TopicKey& key, const std::string& topic_id, Time now) {
  std::vector<Incarnation>& lives = ledger.incarnations[key];
  const auto known = std::ranges::find(lives, topic_id, &Incarnation::topic_id);
  if (known != lives.end()) {
    // It was never gone: a broker that lags behind answered, or one that gives no ids.
    std::rotate(known, known + 1, lives.end());
  } else if (!lives.empty() && lives.back().topic_id.empty()) {
    Adopt(ledger, key, lives.back(), topic_id);
  } else {
    StartLife(ledger, key, topic_id, now);
  }
}

/// Whether the ends say, without an id, that this is no longer the topic that was there before.
bool Recreated(Incarnation& current, const TopicAnswer& answer) {
  current.regressions = EndsFell(current.log_end, answer) ? current.regressions + 1 : 0;
  return current.regressions >= kConfirmingPolls;
}

}  // namespace

const Incarnation& NoteTopic(Ledger& ledger, const std::string& cluster_id,
                             const std::string& topic, const TopicAnswer& answer, bool offsets_fell,
                             Time now) {
  const TopicKey key{cluster_id, topic};
  std::vector<Incarnation>& lives = ledger.incarnations[key];
  if (!answer.topic_id.empty()) {
    if (lives.empty() || lives.back().topic_id != answer.topic_id) {
      NoteId(ledger, key, answer.topic_id, now);
    }
    lives.back().regressions = 0;
  } else if (lives.empty() || Recreated(lives.back(), answer) || offsets_fell) {
    StartLife(ledger, key, {}, now);
  }
  Incarnation& current = lives.back();
  current.last_seen = now;
  if (current.regressions > 0) return current;
  for (const auto& [partition, watermarks] : answer.partitions) {
    if (watermarks.log_end) current.log_end[partition] = *watermarks.log_end;
  }
  return current;
}

}  // namespace tidegauge
