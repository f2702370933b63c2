#include "core/model.h"

#include <array>
#include <utility>

namespace tidegauge {
namespace {

template <typename E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

constexpr Names<Severity, 3> kSeverities{{{Severity::kInfo, "info"},
                                          {Severity::kWarning, "warning"},
                                          {Severity::kCritical, "critical"}}};
constexpr Names<Confidence, 2> kConfidences{
    {{Confidence::kLikely, "likely"}, {Confidence::kCertain, "certain"}}};
constexpr Names<Bound, 2> kBounds{{{Bound::kExact, "exact"}, {Bound::kAtMost, "at_most"}}};

template <typename E, std::size_t N>
std::string_view NameOf(const Names<E, N>& names, E value) {
  for (const auto& [candidate, name] : names) {
    if (candidate == value) return name;
  }
  return {};
}

template <typename E, std::size_t N>
std::optional<E> ValueOf(const Names<E, N>& names, std::string_view text) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view ToString(Severity severity) { return NameOf(kSeverities, severity); }
std::optional<Severity> ParseSeverity(std::string_view text) { return ValueOf(kSeverities, text); }

std::string_view ToString(Confidence confidence) { return NameOf(kConfidences, confidence); }
std::optional<Confidence> ParseConfidence(std::string_view text) {
  return ValueOf(kConfidences, text);
}

std::string_view ToString(Bound bound) { return NameOf(kBounds, bound); }
std::optional<Bound> ParseBound(std::string_view text) { return ValueOf(kBounds, text); }

}  // namespace tidegauge
