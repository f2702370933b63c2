#include "core/checkpoint/batch_history.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "core/checkpoint/steps.h"

namespace tidegauge {

void BatchHistory::Continue(const Checkpoint& previous, BatchId oldest) {
  const auto& known = previous.fingerprint;
  found_.fingerprint.scanned = known.scanned;
  found_.fingerprint.last = known.last;
  found_.fingerprint.before_last = known.before_last;
  std::ranges::copy_if(previous.steps, std::back_inserter(found_.steps), [&](const auto& step) {
    return step.batch >= oldest && step.batch <= known.scanned;
  });
  std::ranges::copy_if(previous.batch_times, std::back_inserter(found_.batch_times),
                       [&](const auto& time) { return time.batch >= oldest; });
}

void BatchHistory::Add(BatchId batch, EntryPtr entry) {
  auto& fingerprint = found_.fingerprint;
  if (!empty()) {
    auto steps = StepsBetween(fingerprint.before_last.get(), *fingerprint.last, *entry, batch,
                              separately_read_);
    std::ranges::move(steps, std::back_inserter(found_.steps));
  }
  if (entry->planned_at) found_.batch_times.push_back({batch, *entry->planned_at});
  fingerprint.before_last = std::exchange(fingerprint.last, std::move(entry));
  fingerprint.scanned = batch;
}

void BatchHistory::AddInFlight(BatchId batch, const OffsetLogEntry& entry) {
  if (empty()) return;
  CheckSources(batch, entry);
  // What it has dropped is dropped already; where it goes back, the batch before is still in force.
  for (BatchStep& step :
       StepsBetween(nullptr, *found_.fingerprint.last, entry, batch, separately_read_)) {
    if (step.kind != BatchStep::Kind::kBackwards) found_.steps.push_back(std::move(step));
  }
}

void BatchHistory::CheckSources(BatchId batch, const OffsetLogEntry& entry) {
  if (empty()) return;
  const OffsetLogEntry& before = *found_.fingerprint.last;
  if (before.version != 2 || entry.version != 2) {
    if (before.sources.size() == entry.sources.size()) return;
    found_.problems.push_back(fmt::format(
        "{}/{}: {} source lines, but the batch before has {}: it was cut short or edited, "
        "and a restart fails",
        found_.path, OffsetsName(batch), entry.sources.size(), before.sources.size()));
    found_.damage.push_back({.kind = Damage::Kind::kSourcesChanged,
                             .file = OffsetsName(batch),
                             .batch = batch,
                             .what = fmt::format("{} source lines after {}", entry.sources.size(),
                                                 before.sources.size())});
    return;
  }
  for (const SourceOffset& source : before.sources) {
    const bool kept = std::ranges::any_of(
        entry.sources, [&](const SourceOffset& other) { return other.id == source.id; });
    if (kept) continue;
    found_.problems.push_back(fmt::format(
        "{}/{}: source '{}' is missing, which the batch before has: it was cut short, or "
        "the source is no part of the query any more",
        found_.path, OffsetsName(batch), source.id));
    found_.damage.push_back({.kind = Damage::Kind::kSourcesChanged,
                             .file = OffsetsName(batch),
                             .batch = batch,
                             .what = fmt::format("source '{}' is missing", source.id)});
  }
}

}  // namespace tidegauge
