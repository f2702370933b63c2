#include "config/nearest.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tidegauge {
namespace {

// The optimal string alignment distance: Levenshtein's, with two neighbours swapped as one edit.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row.back();
}

// Longer than any name there is: nothing is near to it, and the table would only cost time.
constexpr std::size_t kLongestName = 100;
// A file of a thousand clusters that are all mistyped must not take minutes.
constexpr std::size_t kMostCandidates = 200;
// More do not help anybody who reads a message.
constexpr std::size_t kMostListed = 12;

std::size_t Difference(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

}  // namespace

std::optional<std::string> Nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  if (name.size() > kLongestName || candidates.size() > kMostCandidates) return std::nullopt;
  std::optional<std::string> nearest;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (Difference(name.size(), candidate.size()) >= least) continue;
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
  const bool all = candidates.size() <= kMostListed;
  const auto end = all ? candidates.end() : candidates.begin() + kMostListed;
  return fmt::format(", known: {}{}", fmt::join(candidates.begin(), end, ", "), all ? "" : ", ...");
}

}  // namespace tidegauge
