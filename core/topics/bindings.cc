#include "core/topics/bindings.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/topics/crossing.h"

namespace tidegauge {
namespace {

/// A batch in flight may have been planned before the partition was there; the one after it was
/// not.
constexpr BatchId kPassingBatches = 2;

// ------------------------------------------------------------------ first sight

/// The stamps of `stamps` say that what lies below `position` was written after `planned_at`.
bool WrittenAfter(const PartitionOffsets& position, Time planned_at, const TopicStamps& stamps,
                  Duration margin, Time now) {
  bool after = false;
  for (const auto& [partition, offset] : position) {
    const auto newest = stamps.newest.find(partition);
    // Producers whose clocks run ahead prove nothing.
    if (newest != stamps.newest.end() && newest->second.timestamp > now) return false;
    const auto first = stamps.first.find(partition);
    if (first == stamps.first.end() || first->second.offset >= offset) continue;
    if (first->second.timestamp <= planned_at + margin) return false;
    after = true;
  }
  return after;
}

/// The remembered life of the topic that was there when a batch was planned at `planned_at`, or an
/// even earlier one; null: it cannot be told.
const Incarnation* LifeAt(const std::vector<Incarnation>& lives, Time planned_at) {
  for (const Incarnation& life : lives) {
    const bool current = &life == &lives.back();
    if (current ? planned_at >= life.first_seen : planned_at <= life.last_seen) return &life;
  }
  return nullptr;
}

Binding BindTo(const BindingInput& input, const Incarnation& life) {
  return {.cluster_id = input.cluster_id,
          .topic_id = life.topic_id,
          .generation = life.generation,
          .batch = input.position->batch,
          .position = input.position->offsets,
          .bound_at = input.now};
}

/// Nothing below the position: a restart reads the topic from its beginning, whichever life it is.
bool AtLogStart(const BindingInput& input) {
  return std::ranges::all_of(input.position->offsets, [&](const auto& next) {
    const auto partition = input.answer->partitions.find(next.first);
    return partition != input.answer->partitions.end() &&
           partition->second.log_start == next.second;
  });
}

Binding FirstSight(const Ledger& ledger, const BindingInput& input) {
  const auto& planned_at = input.checkpoint->position_at;
  if (!planned_at || AtLogStart(input)) return BindTo(input, *input.current);
  const auto lives = ledger.incarnations.find({input.cluster_id, input.position->topic});
  if (lives != ledger.incarnations.end()) {
    if (const Incarnation* life = LifeAt(lives->second, *planned_at)) return BindTo(input, *life);
  }
  if (input.stamps == nullptr || !WrittenAfter(input.position->offsets, *planned_at, *input.stamps,
                                               input.clock_margin, input.now)) {
    return BindTo(input, *input.current);
  }
  const bool by_broker = input.stamps->type == TimestampType::kLogAppendTime;
  Binding earlier = BindTo(input, {.generation = -1});
  earlier.evidence = by_broker ? "log_append_time" : "record_timestamps";
  earlier.confidence = by_broker ? Confidence::kCertain : Confidence::kLikely;
  return earlier;
}

// ------------------------------------------------------------------ moving on

bool Moved(const Binding& binding, const BindingInput& input) {
  return binding.batch != input.position->batch;
}

/// It has gone back: an older checkpoint was put back, or its last batches were deleted.
bool PutBack(const Binding& binding, const BindingInput& input) {
  return input.position->batch < binding.batch;
}

/// An operator has corrected the file that the position stands in: the new numbers are meant for
/// the topic as it is. A partition that was left as it was must already stand at the log start.
bool Corrected(const Binding& binding, const BindingInput& input) {
  if (binding.position == input.position->offsets) return false;
  return std::ranges::all_of(input.position->offsets, [&](const auto& next) {
    const auto before = binding.position.find(next.first);
    if (before == binding.position.end() || before->second != next.second) return true;
    const auto partition = input.answer->partitions.find(next.first);
    return partition != input.answer->partitions.end() &&
           partition->second.log_start == next.second;
  });
}

void Follow(Binding& binding, const BindingInput& input) {
  if (binding.cluster_id.empty()) binding.cluster_id = input.cluster_id;
  binding.batch = input.position->batch;
  if (binding.position != input.position->offsets) binding.position = input.position->offsets;
}

void Rebind(Binding& binding, const BindingInput& input) {
  Binding moved = BindTo(input, *input.current);
  moved.bound_at = binding.bound_at;
  moved.absent_since = std::move(binding.absent_since);
  binding = std::move(moved);
}

/// The binding is to an earlier life, and batches were committed since.
void MoveOn(Ledger& ledger, Binding& binding, const BindingInput& input) {
  const auto crossing = FindCrossing(binding, input);
  if (!crossing && !AtLogStart(input)) {
    Follow(binding, input);
    return;
  }
  // Offsets of another cluster say nothing about records passed over in this one.
  const bool other_cluster = !binding.cluster_id.empty() && binding.cluster_id != input.cluster_id;
  if (crossing && !other_cluster) NoteCrossing(ledger, input, *crossing);
  Rebind(binding, input);
}

void BindAgain(Ledger& ledger, Binding& binding, const BindingInput& input) {
  if (BelongsTo(binding, input.cluster_id, *input.current)) {
    if (PutBack(binding, input)) {
      const Time bound_at = binding.bound_at;
      binding = FirstSight(ledger, input);
      binding.bound_at = bound_at;
    } else {
      Follow(binding, input);
    }
  } else if (PutBack(binding, input)) {
    // What came before offsets of an earlier life is no younger than they are.
    Follow(binding, input);
  } else if (Moved(binding, input)) {
    MoveOn(ledger, binding, input);
  } else if (Corrected(binding, input) || AtLogStart(input)) {
    Rebind(binding, input);
  }
}

// ------------------------------------------------------------------ partitions without an offset

/// It had records before the batch of the position was planned, which nevertheless left it out.
bool WasLeftOut(Partition partition, const BindingInput& input) {
  if (input.stamps == nullptr || !input.checkpoint->position_at) return false;
  const auto first = input.stamps->first.find(partition);
  return first != input.stamps->first.end() &&
         first->second.timestamp + input.clock_margin < *input.checkpoint->position_at;
}

void NoteAbsent(Binding& binding, const BindingInput& input) {
  std::erase_if(binding.absent_since, [&](const auto& absent) {
    return input.position->offsets.contains(absent.first) ||
           !input.answer->partitions.contains(absent.first);
  });
  const BatchId newest = input.checkpoint->newest_batch.value_or(-1);
  auto known = input.position->offsets.begin();
  for (const auto& [partition, watermarks] : input.answer->partitions) {
    while (known != input.position->offsets.end() && known->first < partition) ++known;
    if (known != input.position->offsets.end() && known->first == partition) continue;
    const BatchId since = WasLeftOut(partition, input) ? newest - kPassingBatches : newest;
    binding.absent_since.try_emplace(partition, since);
  }
}

}  // namespace

bool BelongsTo(const Binding& binding, const std::string& cluster_id, const Incarnation& current) {
  const bool clusters_known = !binding.cluster_id.empty() && !cluster_id.empty();
  if (clusters_known && binding.cluster_id != cluster_id) return false;
  const bool topics_known = !binding.topic_id.empty() && !current.topic_id.empty();
  if (topics_known) return binding.topic_id == current.topic_id;
  return binding.generation == current.generation;
}

bool NeedsStamps(const Ledger& ledger, const BindingInput& input) {
  const auto known = ledger.bindings.find(input.key);
  if (known == ledger.bindings.end()) return true;
  const bool belongs = BelongsTo(known->second, input.cluster_id, *input.current);
  return belongs ? PutBack(known->second, input) : Moved(known->second, input);
}

const Binding& Bind(Ledger& ledger, const BindingInput& input) {
  const auto [place, is_new] = ledger.bindings.try_emplace(input.key);
  Binding& binding = place->second;
  if (is_new) {
    binding = FirstSight(ledger, input);
  } else {
    BindAgain(ledger, binding, input);
  }
  NoteAbsent(binding, input);
  binding.held_against = input.current->generation;
  return binding;
}

bool PassedBy(const Binding& binding, Partition partition, BatchId newest_batch) {
  const auto absent = binding.absent_since.find(partition);
  return absent != binding.absent_since.end() && newest_batch >= absent->second + kPassingBatches;
}

}  // namespace tidegauge
