#include "core/history/rhythm.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/core.h>

namespace tidegauge {
namespace {

/// Fewer plans than these have no rhythm.
constexpr std::size_t kLeastPauses = 3;
/// A pause is remembered for this many times its length.
constexpr std::int64_t kPauseMemory = 14;

/// How long the newest batch that has ended took. Times of files are those of the storage, and
/// copies have later ones: then it seems to have taken longer, which only makes us more patient.
std::optional<Duration> NewestTook(const Checkpoint& checkpoint) {
  const auto batch = std::ranges::find(checkpoint.batch_times,
                                       checkpoint.committed_batch.value_or(-1), &BatchTime::batch);
  if (batch == checkpoint.batch_times.end() || !checkpoint.committed_at) return std::nullopt;
  if (*checkpoint.committed_at < batch->planned_at) return std::nullopt;
  return *checkpoint.committed_at - batch->planned_at;
}

void NotePause(QueryMemory& memory, Duration pause) {
  for (Duration* known : {&memory.longest_pause, &memory.second_pause}) {
    *known = std::max<Duration>(*known - pause / kPauseMemory, Duration::zero());
  }
  if (pause > memory.longest_pause) std::swap(pause, memory.longest_pause);
  memory.second_pause = std::max(memory.second_pause, pause);
}

std::vector<Duration> Pauses(const std::vector<BatchTime>& times) {
  std::vector<Duration> pauses;
  for (std::size_t i = 1; i < times.size(); ++i) {
    pauses.push_back(times[i].planned_at - times[i - 1].planned_at);
  }
  return pauses;
}

}  // namespace

void NoteRhythm(QueryMemory& memory, const Checkpoint& checkpoint, std::optional<Offset> waiting,
                Time now) {
  const bool known_before = memory.newest_batch >= 0;
  const bool new_batch = checkpoint.newest_batch.value_or(-1) != memory.newest_batch;
  const bool new_commit = checkpoint.committed_batch.value_or(-1) > memory.committed_batch;
  if (new_commit) {
    const auto took = NewestTook(checkpoint);
    memory.longest_batch = memory.longest_batch * 9 / 10;
    if (took) memory.longest_batch = std::max(memory.longest_batch, *took);
  }
  const bool advanced = new_batch || new_commit;
  if (advanced && checkpoint.newest_batch_at) {
    const Duration pause = *checkpoint.newest_batch_at - memory.planned_at;
    if (new_batch && known_before && pause > Duration::zero()) NotePause(memory, pause);
    memory.planned_at = *checkpoint.newest_batch_at;
  }
  const bool idle = waiting == 0 && memory.advanced_at != Time{} &&
                    checkpoint.newest_batch == checkpoint.committed_batch &&
                    now - memory.advanced_at >= kIdleStep;
  if ((advanced && known_before) || idle) memory.advanced_at = now;
  if (advanced || memory.waiting < 0) memory.waiting = waiting.value_or(-1);
}

std::optional<Duration> LongestBatch(const QueryMemory& memory, const Checkpoint& checkpoint) {
  const auto took = NewestTook(checkpoint);
  if (!took && memory.longest_batch == Duration::zero()) return std::nullopt;
  return std::max(memory.longest_batch, took.value_or(Duration::zero()));
}

std::optional<Duration> UsualPause(const QueryMemory& memory, const Checkpoint& checkpoint) {
  std::vector<Duration> pauses = Pauses(checkpoint.batch_times);
  if (pauses.size() < kLeastPauses) {
    const bool remembered = memory.second_pause > Duration::zero();
    return remembered ? std::optional(memory.second_pause) : std::nullopt;
  }
  std::ranges::nth_element(pauses, pauses.begin() + 1, std::greater<>());
  return std::max(pauses[1], memory.second_pause);
}

std::string SayDuration(Duration duration) {
  const double minutes = std::chrono::duration<double, std::ratio<60>>(duration).count();
  if (minutes < 120) return fmt::format("{:.0f} min", minutes);
  if (minutes < 48 * 60) return fmt::format("{:.1f} h", minutes / 60);
  return fmt::format("{:.0f} days", minutes / 60 / 24);
}

}  // namespace tidegauge
