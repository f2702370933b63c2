#include "core/history/compact_growth.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/checkpoint/batch_rhythm.h"

namespace tidegauge {
namespace {

/// Compactions; beyond, growth from one file to the next says nothing.
constexpr std::int64_t kMostForetold = 10'000;

/// Whether `sizes` may be of the log that has `newest` for its newest compact file.
bool Continues(const CompactSizes& sizes, const CompactFile& newest) {
  if (sizes.empty() || newest.batch > sizes.rbegin()->first) return true;
  const auto known = sizes.find(newest.batch);
  return known == std::prev(sizes.end()) &&
         known->second == static_cast<std::int64_t>(newest.bytes);
}

}  // namespace

void NoteCompactSizes(CompactSizes& sizes, const CompactibleLog& log) {
  if (log.compacts.empty()) return;
  if (!Continues(sizes, log.compacts.front())) sizes.clear();
  for (const CompactFile& file : log.compacts) {
    sizes[file.batch] = static_cast<std::int64_t>(file.bytes);
  }
  while (sizes.size() > kCompactSizes) sizes.erase(sizes.begin());
}

std::optional<CompactGrowth> GrowthOf(const CompactSizes& sizes, const CompactibleLog& log) {
  const bool may_lack_one =
      log.compacts.size() > 1 && OtherIntervalOf(log.files, log.configured).has_value();
  if (sizes.size() < 2 || may_lack_one) return std::nullopt;
  // A lone compact file does not tell its interval, and some may have come unseen.
  std::int64_t interval = std::numeric_limits<std::int64_t>::max();
  for (auto size = std::next(sizes.begin()); size != sizes.end(); ++size) {
    interval = std::min(interval, size->first - std::prev(size)->first);
  }
  const auto& [oldest, from] = *sizes.begin();
  const auto& [newest, to] = *sizes.rbegin();
  return CompactGrowth{.bytes = (to - from) / ((newest - oldest) / interval), .interval = interval};
}

std::optional<ForetoldSize> WhenReached(std::int64_t bytes, const LogView& log,
                                        const Checkpoint& checkpoint, Time now) {
  if (!log.growth || log.growth->bytes <= 0 || log.log->compacts.empty()) return std::nullopt;
  const auto& [growth, interval] = *log.growth;
  const CompactFile& newest = log.log->compacts.front();
  const std::int64_t lacking = bytes - static_cast<std::int64_t>(newest.bytes);
  const std::int64_t compactions = lacking / growth + (lacking % growth == 0 ? 0 : 1);
  if (compactions > kMostForetold) return std::nullopt;
  constexpr BatchId kLast = std::numeric_limits<BatchId>::max();
  if (interval > (kLast - newest.batch) / compactions) return std::nullopt;
  const BatchId batch = newest.batch + compactions * interval;
  return ForetoldSize{
      .batch = batch,
      .at = log.is_sink() ? ExpectedAt(checkpoint, batch, now) : std::optional<Time>()};
}

void NoteLogs(Ledger& ledger, const std::string& query, std::vector<LogView>& logs) {
  for (LogView& log : logs) {
    if (log.log == nullptr || log.log->compacts.empty()) continue;
    CompactSizes& sizes = ledger.compact_sizes[{query, log.name}];
    NoteCompactSizes(sizes, *log.log);
    log.growth = GrowthOf(sizes, *log.log);
  }
}

}  // namespace tidegauge
