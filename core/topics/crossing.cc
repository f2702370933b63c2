#include "core/topics/crossing.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tidegauge {
namespace {

/// Where the batch of the position began; null: not known.
const SourceTopic* StartOf(const BindingInput& input) {
  const auto& starts = input.checkpoint->position_start;
  const auto start = std::ranges::find_if(starts, [&](const SourceTopic& candidate) {
    return candidate.topic == input.position->topic && candidate.source == input.position->source;
  });
  return start == starts.end() ? nullptr : &*start;
}

/// The batches since a binding, as far as they are retained.
struct BatchesSince {
  BatchId first = 0;
  bool first_is_known = false;  ///< no batch before `first` can have been purged
  bool only_one = false;
  std::optional<Time> first_planned_at;
};

BatchesSince FindBatches(const Binding& binding, const BindingInput& input) {
  const BatchId newest = input.position->batch;
  const SourceTopic* start = StartOf(input);
  BatchesSince batches{.first = newest};
  batches.only_one =
      newest == binding.batch + 1 || (start != nullptr && start->batch == binding.batch);
  batches.first_is_known = batches.only_one;
  bool bound_is_retained = false;
  for (const BatchTime& time : input.checkpoint->batch_times) {
    if (time.batch == binding.batch) bound_is_retained = true;
    if (time.batch <= binding.batch || time.batch > newest) continue;
    batches.first = time.batch;
    batches.first_planned_at = time.planned_at;
    batches.first_is_known |= bound_is_retained || time.batch == binding.batch + 1;
    break;
  }
  return batches;
}

/// The first batch since the binding, and it alone, began where the binding's position is. An
/// operator may have corrected that file before the batch was planned.
PartitionOffsets StartOfFirst(const Binding& binding, const BindingInput& input,
                              const BatchesSince& batches) {
  const SourceTopic* start = StartOf(input);
  const bool corrected = batches.only_one && start != nullptr && start->batch == binding.batch;
  return corrected ? start->offsets : binding.position;
}

Crossing AtFirst(const Binding& binding, const BindingInput& input, const BatchesSince& batches) {
  Crossing crossing{.batch = batches.first, .start = StartOfFirst(binding, input, batches)};
  if (batches.only_one) {
    crossing.end = input.position->offsets;
  } else if (const BatchStep* fall =
                 FindFall(*input.checkpoint, input.position->topic, input.position->source,
                          binding.batch, batches.first)) {
    crossing.end = fall->to;
  }
  return crossing;
}

/// It began somewhere between the bound position and the present one.
Crossing AtUnknown(const BindingInput& input) {
  const PartitionOffsets& position = input.position->offsets;
  return {.batch = input.position->batch,
          .start = position,
          .end = position,
          .bound = Bound::kAtMost,
          .confidence = Confidence::kLikely};
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

/// The recreation and at least one batch lie between two polls, and the offsets themselves tell
/// nothing.
std::optional<Crossing> FindByStamps(const Binding& binding, const BindingInput& input,
                                     const BatchesSince& batches) {
  const auto first_record = FirstRecordAt(input.stamps);
  const auto newest_planned_at = input.checkpoint->position_at;
  if (!first_record || !newest_planned_at) return AtUnknown(input);
  if (*newest_planned_at + input.clock_margin < *first_record) return std::nullopt;

  // A producer's stamp may be from long before the record was written.
  const bool by_broker = input.stamps->type == TimestampType::kLogAppendTime;
  const bool first_read_it = batches.first_is_known && batches.first_planned_at &&
                             *batches.first_planned_at > *first_record + input.clock_margin;
  if (!first_read_it || !(by_broker || batches.only_one)) return AtUnknown(input);
  Crossing crossing = AtFirst(binding, input, batches);
  crossing.confidence = by_broker ? Confidence::kCertain : Confidence::kLikely;
  return crossing;
}

/// How sure it is that the topic was recreated at all.
Confidence ConfidenceOfRecreation(const Binding& binding, const Incarnation& current) {
  if (!binding.evidence.empty()) return binding.confidence;
  const bool by_ids = !binding.topic_id.empty() && !current.topic_id.empty();
  return by_ids ? Confidence::kCertain : Confidence::kLikely;
}

bool AlreadyNoted(const Ledger& ledger, const SkipEvent& event) {
  return std::ranges::any_of(ledger.skips, [&](const SkipEvent& noted) {
    return noted.query == event.query && noted.topic == event.topic &&
           noted.source == event.source && noted.batch == event.batch &&
           noted.query_id == event.query_id;
  });
}

/// Adds `records` of `partition`, which lie at the beginning of its log, to `event`.
void AddPartition(SkipEvent& event, const TopicAnswer* answer, FindingPartition partition) {
  if (answer != nullptr) {
    const auto listed = answer->partitions.find(partition.partition);
    if (listed != answer->partitions.end()) {
      partition.log_start = listed->second.log_start;
      partition.log_end = listed->second.log_end;
    }
  }
  // What retention has taken since may have gone before it could be read.
  if (partition.log_start != 0) event.bound = Bound::kAtMost;
  event.partitions.push_back(partition);
}

void NoteSkip(Ledger& ledger, SkipEvent event) {
  if (event.partitions.empty() || AlreadyNoted(ledger, event)) return;
  ledger.skips.push_back(std::move(event));
}

bool IsCurrent(const Ledger& ledger, const Binding& binding, const std::string& topic) {
  const auto lives = ledger.incarnations.find({binding.cluster_id, topic});
  return lives != ledger.incarnations.end() && !lives->second.empty() &&
         lives->second.back().generation == binding.generation;
}

/// The answer about the life of `topic` that `binding` is to; null: it is over, or was not
/// answered.
const TopicAnswer* AnswerFor(const Ledger& ledger, const Binding* binding,
                             const ClusterAnswer* cluster, const std::string& topic) {
  if (cluster == nullptr || binding == nullptr || !IsCurrent(ledger, *binding, topic))
    return nullptr;
  const auto found = cluster->topics.find(topic);
  return found == cluster->topics.end() ? nullptr : &found->second;
}

}  // namespace

const BatchStep* FindFall(const Checkpoint& checkpoint, const std::string& topic,
                          const std::string& source, BatchId after, BatchId until) {
  const auto fall = std::ranges::find_if(checkpoint.steps, [&](const BatchStep& step) {
    return step.kind == BatchStep::Kind::kBackwards && step.batch > after && step.batch <= until &&
           step.topic == topic && step.source == source;
  });
  return fall == checkpoint.steps.end() ? nullptr : &*fall;
}

std::optional<Crossing> FindCrossing(const Binding& binding, const BindingInput& input) {
  const BatchesSince batches = FindBatches(binding, input);
  std::optional<Crossing> crossing;
  const BatchStep* fall = FindFall(*input.checkpoint, input.position->topic, input.position->source,
                                   binding.batch, input.position->batch);
  if (binding.held_against == input.current->generation) {
    crossing = AtFirst(binding, input, batches);
  } else if (fall != nullptr) {
    crossing = Crossing{.batch = fall->batch, .start = fall->before, .end = fall->to};
  } else if (!BeyondLogEnd(input)) {
    crossing = FindByStamps(binding, input, batches);
  }
  if (crossing) {
    crossing->confidence =
        std::min(crossing->confidence, ConfidenceOfRecreation(binding, *input.current));
  }
  return crossing;
}

void NoteCrossing(Ledger& ledger, const BindingInput& input, const Crossing& crossing) {
  SkipEvent event{.query = std::get<0>(input.key),
                  .kafka_cluster = input.kafka_cluster,
                  .topic = std::get<1>(input.key),
                  .source = std::get<2>(input.key),
                  .batch = crossing.batch,
                  .query_id = input.checkpoint->query_id,
                  .seen_at = input.now,
                  .bound = crossing.bound,
                  .confidence = crossing.confidence};
  for (const auto& [partition, start] : crossing.start) {
    if (!input.answer->partitions.contains(partition)) continue;
    const auto end = crossing.end.find(partition);
    const Offset reached = end == crossing.end.end() ? start : std::min(start, end->second);
    if (reached <= 0) continue;
    AddPartition(event, input.answer,
                 {.partition = partition, .checkpoint = start, .records = reached});
  }
  NoteSkip(ledger, std::move(event));
}

void NoteBackwardSteps(Ledger& ledger, const std::string& query, const std::string& kafka_cluster,
                       const Checkpoint& checkpoint, const ClusterAnswer* answer, Time now) {
  for (const BatchStep& step : checkpoint.steps) {
    if (step.kind != BatchStep::Kind::kBackwards) continue;
    const auto known = ledger.bindings.find({query, step.topic, step.source});
    const Binding* binding = known == ledger.bindings.end() ? nullptr : &known->second;
    if (binding != nullptr && binding->bound_at < now) continue;
    const TopicAnswer* topic = AnswerFor(ledger, binding, answer, step.topic);
    SkipEvent event{.query = query,
                    .kafka_cluster = kafka_cluster,
                    .topic = step.topic,
                    .source = step.source,
                    .batch = step.batch,
                    .query_id = checkpoint.query_id,
                    .seen_at = now,
                    .confidence = Confidence::kLikely};
    for (const auto& [partition, offset] : step.to) {
      if (offset <= 0) continue;
      AddPartition(
          event, topic,
          {.partition = partition, .checkpoint = step.from.at(partition), .records = offset});
    }
    NoteSkip(ledger, std::move(event));
  }
}

}  // namespace tidegauge
