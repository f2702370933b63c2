#include "core/sinklog/log_listing.h"

#include <algorithm>

#include "core/checkpoint/layout.h"
#include "core/sinklog/compaction.h"

namespace tidegauge {
namespace {

constexpr std::string_view kCompactSuffix = ".compact";

void SortUnique(std::vector<BatchId>& ids) {
  std::ranges::sort(ids);
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
}

}  // namespace

std::optional<BatchId> LogListing::newest() const {
  if (empty()) return std::nullopt;
  return std::max(plain.empty() ? -1 : plain.back(), compacts.empty() ? -1 : compacts.back());
}

bool LogListing::Has(BatchId batch, std::int64_t interval) const {
  return std::ranges::binary_search(Compacts(batch, interval) ? compacts : plain, batch);
}

LogListing ParseLogNames(const std::vector<std::string>& names) {
  LogListing listing;
  for (std::string_view name : names) {
    const bool compact = name.ends_with(kCompactSuffix);
    if (compact) name.remove_suffix(kCompactSuffix.size());
    const auto batch = ParseBatchFileName(name);
    if (!batch || *batch > kMaxLogBatch) continue;
    (compact ? listing.compacts : listing.plain).push_back(*batch);
  }
  SortUnique(listing.plain);
  SortUnique(listing.compacts);
  return listing;
}

}  // namespace tidegauge
