#include "core/sinklog/compaction.h"

#include <algorithm>

#include <fmt/core.h>

namespace tidegauge {
namespace {

/// Beyond, no log has so many batches, and looking for a divisor would take too long.
constexpr BatchId kMaxDivided = BatchId{1} << 40;

/// The smallest divisor of `number` between `least` and its half; `number` if there is none.
std::int64_t SmallestDivisor(std::int64_t number, std::int64_t least) {
  std::int64_t best = number;
  if (number > kMaxDivided) return best;
  const auto consider = [&](std::int64_t divisor) {
    if (divisor >= least && divisor <= number / 2) best = std::min(best, divisor);
  };
  for (std::int64_t divisor = 1; divisor * divisor <= number; ++divisor) {
    if (number % divisor != 0) continue;
    consider(divisor);
    consider(number / divisor);
  }
  return best;
}

}  // namespace

bool Compacts(BatchId batch, std::int64_t interval) { return batch % interval == interval - 1; }

std::string LogFileName(BatchId batch, std::int64_t interval) {
  return Compacts(batch, interval) ? fmt::format("{}.compact", batch) : fmt::format("{}", batch);
}

BatchId NextCompaction(BatchId batch, std::int64_t interval) {
  return batch + (interval - 1 - batch % interval);
}

BatchRange NeededByCompaction(BatchId batch, std::int64_t interval) {
  return {.first = std::max(BatchId{0}, batch - interval), .last = batch - 1};
}

BatchRange NeededByReader(BatchId newest, std::int64_t interval) {
  return {.first = std::max(BatchId{0}, (newest + 1) / interval * interval - 1), .last = newest};
}

std::int64_t DeriveInterval(std::int64_t configured, const std::vector<BatchId>& compacts) {
  if (compacts.empty()) return configured;
  if (compacts.size() >= 2) return compacts.back() - compacts[compacts.size() - 2];
  const std::int64_t batches = compacts.back() + 1;
  return configured < batches / 2 ? SmallestDivisor(batches, configured) : batches;
}

std::optional<BatchId> ExpiryLimit(BatchId batch, std::int64_t interval, std::int64_t retained) {
  const BatchId least = batch + 1 - retained;
  if (least < interval) return std::nullopt;
  return least - least % interval - 1;
}

}  // namespace tidegauge
