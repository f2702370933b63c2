#include "core/checkpoint/second_plan.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/checkpoint/layout.h"

namespace tidegauge {
namespace {

std::optional<Time> PlannedAt(const Checkpoint& checkpoint, BatchId batch) {
  if (batch == checkpoint.newest_batch) return checkpoint.newest_batch_at;
  const auto known = std::ranges::find(checkpoint.batch_times, batch, &BatchTime::batch);
  if (known == checkpoint.batch_times.end()) return std::nullopt;
  return known->planned_at;
}

}  // namespace

std::optional<BatchTime> FindSecondPlan(const CheckpointDirectory& directory,
                                        const CheckpointListing& listing, const Checkpoint& found) {
  std::optional<BatchTime> second;
  for (const auto& [batch, name] : listing.temporaries) {
    const auto planned_at = PlannedAt(found, batch);
    if (!planned_at) continue;
    const auto entry = directory.ReadOffsets(fmt::format("{}/{}", kOffsetsDirectory, name));
    if (!entry || !entry->planned_at || *entry->planned_at <= *planned_at) continue;
    second = {.batch = batch, .planned_at = *entry->planned_at};
  }
  return second;
}

}  // namespace tidegauge
