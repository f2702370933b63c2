#include "core/checkpoint/layout.h"

#include <algorithm>
#include <charconv>

namespace tidegauge {

std::optional<BatchId> ParseBatchFileName(std::string_view name) {
  if (name.starts_with('+')) name.remove_prefix(1);
  if (name.empty() || name.front() == '-') return std::nullopt;
  BatchId batch = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), batch);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return batch;
}

std::optional<BatchId> ParseTemporaryFileName(std::string_view name) {
  constexpr std::size_t kUuid = 36;
  constexpr std::string_view kEnd = ".tmp";
  if (!name.starts_with('.')) return std::nullopt;
  name.remove_prefix(1);
  if (!name.ends_with(kEnd)) return std::nullopt;
  name.remove_suffix(kEnd.size());
  const std::size_t dot = name.find('.');
  if (dot == name.npos || name.size() - dot - 1 != kUuid) return std::nullopt;
  return ParseBatchFileName(name.substr(0, dot));
}

bool IsLegalTopicName(std::string_view name) {
  if (name.empty() || name.size() > 249 || name == "." || name == "..") return false;
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

}  // namespace tidegauge
