#include "config/nearest.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tidegauge {
namespace {

// Levenshtein's distance, one row of the table at a time.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// Longer than any name there is: nothing is near to it, and the table would only cost time.
constexpr std::size_t kLongestName = 100;

}  // namespace

std::optional<std::string> Nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  if (name.size() > kLongestName) return std::nullopt;
  std::optional<std::string> nearest;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(name, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  if (const auto nearest = Nearest(name, candidates)) {
    return fmt::format(", did you mean '{}'?", *nearest);
  }
  if (candidates.empty()) return {};
  return fmt::format(", known: {}", fmt::join(candidates, ", "));
}

}  // namespace tidegauge
