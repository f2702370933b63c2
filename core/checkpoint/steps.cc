#include "core/checkpoint/steps.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tidegauge {
namespace {

using SourcesById = std::map<std::string, const SourceOffset*>;

SourcesById ById(const OffsetLogEntry& entry) {
  SourcesById sources;
  for (const SourceOffset& source : entry.sources) sources[source.id] = &source;
  return sources;
}

bool SameOffsets(const OffsetLogEntry& a, const OffsetLogEntry& b) {
  const SourcesById left = ById(a);
  const SourcesById right = ById(b);
  return std::ranges::equal(left, right, [](const auto& l, const auto& r) {
    return l.first == r.first && l.second->topics == r.second->topics;
  });
}

/// It repeats the offsets of the last committed batch under another number of shuffle partitions.
/// Only the offline repartition changes that number: Spark takes it from the checkpoint at every
/// restart.
bool IsRepartition(const OffsetLogEntry* earlier, const OffsetLogEntry& before,
                   const OffsetLogEntry& after) {
  if (before.shuffle_partitions.empty() || after.shuffle_partitions.empty() ||
      after.shuffle_partitions == before.shuffle_partitions) {
    return false;
  }
  return earlier == nullptr || SameOffsets(*earlier, after);
}

void TopicSteps(const std::string& topic, const PartitionOffsets& before,
                const PartitionOffsets* after, const BatchStep& step, bool may_go_back,
                std::vector<BatchStep>& steps) {
  BatchStep backwards = step;
  backwards.kind = BatchStep::Kind::kBackwards;
  BatchStep dropped = step;
  dropped.kind = BatchStep::Kind::kPartitionDropped;
  backwards.topic = dropped.topic = topic;
  for (const auto& [partition, offset] : before) {
    const auto now = after == nullptr ? PartitionOffsets::const_iterator{} : after->find(partition);
    if (after == nullptr || now == after->end()) {
      dropped.from[partition] = offset;
    } else if (now->second < offset && !may_go_back) {
      backwards.from[partition] = offset;
      backwards.to[partition] = now->second;
    }
  }
  if (!backwards.from.empty()) {
    backwards.before = before;
    steps.push_back(std::move(backwards));
  }
  if (!dropped.from.empty()) steps.push_back(std::move(dropped));
}

void SourceSteps(const SourceOffset& before, const SourceOffset& after, const BatchStep& step,
                 bool may_go_back, std::vector<BatchStep>& steps) {
  const bool emptied = after.topics.empty();
  for (const auto& [topic, offsets] : before.topics) {
    const auto now = after.topics.find(topic);
    if (emptied) {
      BatchStep empty = step;
      empty.kind = BatchStep::Kind::kSourceEmptied;
      empty.topic = topic;
      empty.from = offsets;
      steps.push_back(std::move(empty));
    } else {
      TopicSteps(topic, offsets, now == after.topics.end() ? nullptr : &now->second, step,
                 may_go_back, steps);
    }
  }
}

}  // namespace

std::vector<BatchStep> StepsBetween(const OffsetLogEntry* earlier, const OffsetLogEntry& before,
                                    const OffsetLogEntry& after, BatchId batch,
                                    const std::set<std::string>& separately_read) {
  std::vector<BatchStep> steps;
  const bool named = before.version == 2 && after.version == 2;
  if (!named && before.sources.size() != after.sources.size()) return steps;
  const bool repartition = IsRepartition(earlier, before, after);
  const SourcesById now = ById(after);
  for (const auto& [id, source] : ById(before)) {
    const auto match = now.find(id);
    if (match == now.end()) continue;
    BatchStep step{.batch = batch, .source = id};
    SourceSteps(*source, *match->second, step, repartition, steps);
  }
  // Lines of a self-union say the same twice.
  std::vector<BatchStep> merged;
  std::set<std::tuple<BatchStep::Kind, std::string, std::string, PartitionOffsets>> seen;
  for (BatchStep& step : steps) {
    if (!separately_read.contains(step.topic)) step.source.clear();
    if (seen.emplace(step.kind, step.topic, step.source, step.from).second) {
      merged.push_back(std::move(step));
    }
  }
  return merged;
}

}  // namespace tidegauge
