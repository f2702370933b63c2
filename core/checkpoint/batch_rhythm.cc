#include "core/checkpoint/batch_rhythm.h"

#include <algorithm>
#include <vector>

namespace tidegauge {
namespace {

constexpr std::size_t kSteps = 20;
constexpr std::size_t kFewestSteps = 4;
/// A step is in rhythm when it is neither half as long nor twice as long as the median; three of
/// four must be. A query whose next batch is late by more than two steps has stopped.
constexpr int kTolerance = 2;

std::vector<Duration> StepsOf(const std::vector<BatchTime>& times) {
  std::vector<Duration> steps;
  for (std::size_t i = times.size(); i > 1 && steps.size() < kSteps; --i) {
    const BatchId batches = times[i - 1].batch - times[i - 2].batch;
    const Duration passed = times[i - 1].planned_at - times[i - 2].planned_at;
    if (batches > 0 && passed > Duration::zero()) steps.push_back(passed / batches);
  }
  return steps;
}

}  // namespace

std::optional<Duration> BatchSpacing(const Checkpoint& checkpoint) {
  std::vector<Duration> steps = StepsOf(checkpoint.batch_times);
  if (steps.size() < kFewestSteps) return std::nullopt;
  std::ranges::sort(steps);
  const Duration median = steps[steps.size() / 2];
  const auto in_rhythm = std::ranges::count_if(steps, [&](Duration step) {
    return step * kTolerance >= median && step <= median * kTolerance;
  });
  if (static_cast<std::size_t>(in_rhythm) * 4 < steps.size() * 3) return std::nullopt;
  return median;
}

std::optional<Time> ExpectedAt(const Checkpoint& checkpoint, BatchId batch, Time now) {
  const auto spacing = BatchSpacing(checkpoint);
  if (!spacing || !checkpoint.newest_batch || !checkpoint.newest_batch_at) return std::nullopt;
  const BatchId steps = batch - *checkpoint.newest_batch;
  // Beyond, the product says nothing and may not fit.
  constexpr BatchId kFarthest = 1'000'000;
  if (steps <= 0 || steps > kFarthest) return std::nullopt;
  if (now - *checkpoint.newest_batch_at > *spacing * (1 + kTolerance)) return std::nullopt;
  return *checkpoint.newest_batch_at + *spacing * steps;
}

}  // namespace tidegauge
