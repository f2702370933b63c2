#include "core/topics/bindings.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tidegauge {
namespace {

/// The batch that first read the new incarnation, and what is known of it.
struct Crossing {
  BatchId batch = 0;
  PartitionOffsets start;  ///< where it began: offsets of the earlier incarnation
  PartitionOffsets end;    ///< where it ended; a partition may be absent: not known
  Bound bound = Bound::kExact;
  Confidence confidence = Confidence::kCertain;
};

// ------------------------------------------------------------------ first sight

/// The stamps of `stamps` say that what lies below `position` was written after `planned_at`.
bool WrittenAfter(const PartitionOffsets& position, Time planned_at, const TopicStamps& stamps,
                  Duration margin, Time now) {
  bool after = false;
  for (const auto& [partition, offset] : position) {
    const auto newest = stamps.newest.find(partition);
    // Producers whose clocks run ahead prove nothing.
    if (newest != stamps.newest.end() && newest->second.timestamp > now) {
      return false;
    }
    const auto first = stamps.first.find(partition);
    if (first == stamps.first.end() || first->second.offset >= offset) continue;
    if (first->second.timestamp <= planned_at + margin) return false;
    after = true;
  }
  return after;
}

/// The remembered life of the topic in whose time `planned_at` lies; null: none, or not known.
const Incarnation* LifeAt(const std::vector<Incarnation>& lives, Time planned_at) {
  for (const Incarnation& life : lives) {
    const bool current = &life == &lives.back();
    if (planned_at >= life.first_seen && (current || planned_at <= life.last_seen)) return &life;
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

Binding FirstSight(const Ledger& ledger, const BindingInput& input) {
  const auto& planned_at = input.checkpoint->position_at;
  if (planned_at) {
    const auto lives = ledger.incarnations.find({input.cluster_id, std::get<1>(input.key)});
    if (lives != ledger.incarnations.end()) {
      if (const Incarnation* life = LifeAt(lives->second, *planned_at)) return BindTo(input, *life);
    }
    if (input.stamps != nullptr && WrittenAfter(input.position->offsets, *planned_at, *input.stamps,
                                                input.clock_margin, input.now)) {
      const bool by_broker = input.stamps->type == TimestampType::kLogAppendTime;
      Binding earlier = BindTo(input, {.generation = -1});
      earlier.evidence = by_broker ? "log_append_time" : "record_timestamps";
      earlier.confidence = by_broker ? Confidence::kCertain : Confidence::kLikely;
      return earlier;
    }
  }
  return BindTo(input, *input.current);
}

// ------------------------------------------------------------------ moving on

const BatchStep* FindFall(const BindingInput& input, BatchId after) {
  const auto fall = std::ranges::find_if(input.checkpoint->steps, [&](const BatchStep& step) {
    return step.kind == BatchStep::Kind::kBackwards && step.batch > after &&
           step.batch <= input.position->batch && step.topic == std::get<1>(input.key) &&
           step.source == std::get<2>(input.key);
  });
  return fall == input.checkpoint->steps.end() ? nullptr : &*fall;
}

/// When the topic as it is now began to be filled, as far as its records tell.
std::optional<Time> FirstRecordAt(const TopicStamps* stamps) {
  std::optional<Time> first;
  if (stamps == nullptr) return first;
  for (const auto& [partition, record] : stamps->first) {
    if (!first || record.timestamp < *first) first = record.timestamp;
  }
  return first;
}

bool BeyondLogEnd(const BindingInput& input) {
  return std::ranges::any_of(input.position->offsets, [&](const auto& next) {
    const auto partition = input.answer->partitions.find(next.first);
    return partition == input.answer->partitions.end() ||
           (partition->second.log_end && next.second > *partition->second.log_end);
  });
}

/// The first batch after `bound` that was planned after the topic's first record was written.
std::optional<BatchId> FirstBatchAfter(const BindingInput& input, BatchId bound, Time first_record) {
  for (const BatchTime& time : input.checkpoint->batch_times) {
    if (time.batch > bound && time.planned_at >= first_record) return time.batch;
  }
  return std::nullopt;
}

/// Partitions that did not fall were passed over up to where they stood at most.
Crossing CrossingAtFall(const BatchStep& fall, const Binding& binding) {
  Crossing crossing{.batch = fall.batch, .start = binding.position, .end = fall.to};
  for (const auto& [partition, offset] : fall.from) crossing.start[partition] = offset;
  if (crossing.start.size() > fall.from.size()) crossing.bound = Bound::kAtMost;
  return crossing;
}

/// Where, among the batches since `binding`, the checkpoint entered the current incarnation; none: all
/// of them still read the earlier one.
std::optional<Crossing> FindCrossing(const Binding& binding, const BindingInput& input) {
  const BatchId newest = input.position->batch;
  const PartitionOffsets& end = input.position->offsets;
  const bool one_batch = std::ranges::count_if(input.checkpoint->batch_times, [&](const auto& time) {
                           return time.batch > binding.batch && time.batch <= newest;
                         }) == 1;
  Crossing first{.batch = newest, .start = binding.position};
  if (one_batch) first.end = end;
  if (const BatchStep* fall = FindFall(input, binding.batch)) {
    return one_batch ? first : CrossingAtFall(*fall, binding);
  }
  if (input.current_known_before) return first;
  if (BeyondLogEnd(input)) return std::nullopt;
  if (const auto first_record = FirstRecordAt(input.stamps)) {
    if (!FirstBatchAfter(input, binding.batch, *first_record)) return std::nullopt;
    if (one_batch) return first;
  }
  // One of several batches: it began somewhere between the bound position and the present one.
  return Crossing{.batch = newest, .start = end, .end = end, .bound = Bound::kAtMost};
}

std::vector<FindingPartition> PassedOver(const Crossing& crossing, const TopicAnswer& answer,
                                         Bound& bound) {
  std::vector<FindingPartition> partitions;
  for (const auto& [partition, start] : crossing.start) {
    const auto listed = answer.partitions.find(partition);
    if (listed == answer.partitions.end()) continue;
    const auto end = crossing.end.find(partition);
    const Offset reached = end == crossing.end.end() ? start : std::min(start, end->second);
    const Offset log_start = listed->second.log_start.value_or(0);
    if (log_start > 0) bound = Bound::kAtMost;
    if (reached <= 0) continue;
    partitions.push_back({.partition = partition,
                          .checkpoint = start,
                          .log_start = listed->second.log_start,
                          .log_end = listed->second.log_end,
                          .records = reached});
  }
  return partitions;
}

bool AlreadyNoted(const Ledger& ledger, const SkipEvent& event) {
  return std::ranges::any_of(ledger.skips, [&](const SkipEvent& noted) {
    return noted.query == event.query && noted.topic == event.topic &&
           noted.source == event.source && noted.batch == event.batch &&
           noted.query_id == event.query_id;
  });
}

void NoteSkip(Ledger& ledger, SkipEvent event) {
  if (event.partitions.empty() || AlreadyNoted(ledger, event)) return;
  ledger.skips.push_back(std::move(event));
}

void NoteCrossing(Ledger& ledger, const BindingInput& input, const Binding& binding,
                  const Crossing& crossing) {
  SkipEvent event{.query = std::get<0>(input.key),
                  .kafka_cluster = input.kafka_cluster,
                  .topic = std::get<1>(input.key),
                  .source = std::get<2>(input.key),
                  .batch = crossing.batch,
                  .query_id = input.checkpoint->query_id,
                  .seen_at = input.now,
                  .bound = crossing.bound,
                  .confidence = std::min(crossing.confidence, binding.confidence)};
  event.partitions = PassedOver(crossing, *input.answer, event.bound);
  NoteSkip(ledger, std::move(event));
}

/// The binding is to an earlier life, and the checkpoint has moved since.
Binding MoveOn(Ledger& ledger, const BindingInput& input, const Binding& binding) {
  // Offsets of another cluster say nothing about records passed over in this one.
  const bool same_cluster = binding.cluster_id == input.cluster_id;
  const auto crossing = FindCrossing(binding, input);
  Binding moved = BindTo(input, *input.current);
  moved.bound_at = binding.bound_at;
  moved.absent_since = binding.absent_since;
  if (crossing) {
    if (same_cluster) NoteCrossing(ledger, input, binding, *crossing);
    return moved;
  }
  moved.cluster_id = binding.cluster_id;
  moved.topic_id = binding.topic_id;
  moved.generation = binding.generation;
  moved.evidence = binding.evidence;
  moved.confidence = binding.confidence;
  return moved;
}

void NoteAbsent(Binding& binding, const BindingInput& input) {
  std::erase_if(binding.absent_since, [&](const auto& absent) {
    return input.position->offsets.contains(absent.first) ||
           !input.answer->partitions.contains(absent.first);
  });
  const BatchId newest = input.checkpoint->newest_batch.value_or(-1);
  for (const auto& [partition, watermarks] : input.answer->partitions) {
    if (!input.position->offsets.contains(partition)) {
      binding.absent_since.try_emplace(partition, newest);
    }
  }
}

bool Moved(const Binding& binding, const BindingInput& input) {
  return binding.batch != input.position->batch;
}

/// Another checkpoint, or an older one put back: what was known of it is no longer true.
bool StartsAnew(const Ledger& ledger, const BindingInput& input) {
  const auto known = ledger.bindings.find(input.key);
  return known == ledger.bindings.end() || input.checkpoint_restarted ||
         input.position->batch < known->second.batch;
}

/// An operator has corrected the file that the position stands in: the new numbers are meant for the
/// topic as it is.
bool Corrected(const Binding& binding, const BindingInput& input) {
  return !Moved(binding, input) && binding.position != input.position->offsets;
}

/// Nothing below the position: a restart reads the topic from its beginning, whichever life it is.
bool AtLogStart(const BindingInput& input) {
  return std::ranges::all_of(input.position->offsets, [&](const auto& next) {
    const auto partition = input.answer->partitions.find(next.first);
    return partition != input.answer->partitions.end() && partition->second.log_start &&
           next.second == *partition->second.log_start;
  });
}

}  // namespace

bool BelongsTo(const Binding& binding, const std::string& cluster_id, const Incarnation& current) {
  return binding.cluster_id == cluster_id && binding.topic_id == current.topic_id &&
         binding.generation == current.generation;
}

bool NeedsStamps(const Ledger& ledger, const BindingInput& input) {
  if (StartsAnew(ledger, input)) return true;
  const Binding& known = ledger.bindings.at(input.key);
  return !BelongsTo(known, input.cluster_id, *input.current) && Moved(known, input);
}

const Binding& Bind(Ledger& ledger, const BindingInput& input) {
  if (StartsAnew(ledger, input)) {
    Binding& first = ledger.bindings[input.key] = FirstSight(ledger, input);
    NoteAbsent(first, input);
    return first;
  }
  Binding& binding = ledger.bindings.at(input.key);
  NoteAbsent(binding, input);
  if (BelongsTo(binding, input.cluster_id, *input.current)) {
    if (Moved(binding, input) || binding.position != input.position->offsets) {
      binding.batch = input.position->batch;
      binding.position = input.position->offsets;
    }
  } else if (Corrected(binding, input) || AtLogStart(input)) {
    const Time bound_at = binding.bound_at;
    binding = BindTo(input, *input.current);
    binding.bound_at = bound_at;
  } else if (Moved(binding, input)) {
    binding = MoveOn(ledger, input, Binding(binding));
  }
  return binding;
}

bool PassedBy(const Binding& binding, Partition partition, BatchId newest_batch) {
  const auto absent = binding.absent_since.find(partition);
  return absent != binding.absent_since.end() && newest_batch >= absent->second + 2;
}

void NoteBackwardSteps(Ledger& ledger, const std::string& query, const std::string& kafka_cluster,
                       const Checkpoint& checkpoint, Time now) {
  for (const BatchStep& step : checkpoint.steps) {
    if (step.kind != BatchStep::Kind::kBackwards) continue;
    const auto binding = ledger.bindings.find({query, step.topic, step.source});
    // After first sight Bind judges each new batch, with what it remembers.
    if (binding != ledger.bindings.end() && binding->second.bound_at < now) continue;
    SkipEvent event{.query = query,
                    .kafka_cluster = kafka_cluster,
                    .topic = step.topic,
                    .source = step.source,
                    .batch = step.batch,
                    .query_id = checkpoint.query_id,
                    .seen_at = now,
                    .confidence = Confidence::kLikely};
    for (const auto& [partition, offset] : step.to) {
      if (offset > 0) {
        event.partitions.push_back(
            {.partition = partition, .checkpoint = step.from.at(partition), .records = offset});
      }
    }
    NoteSkip(ledger, std::move(event));
  }
}

}  // namespace tidegauge
