#include "daemon/http/negotiation.h"

#include <algorithm>
#include <optional>
#include <string>

namespace tidegauge {
namespace {

constexpr int kFull = 1000;

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Cuts off what is before `separator`, and it.
std::string_view TakeUntil(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return Trim(part);
}

bool EqualsIgnoringCase(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(left, right, {}, lower, lower);
}

// "0.75" is 750. What is no weight counts as full, as Go's and most other servers have it.
int ParseWeight(std::string_view text) {
  if (text.empty() || (text[0] != '0' && text[0] != '1')) return kFull;
  if (text[0] == '1') return kFull;
  int weight = 0;
  int unit = kFull / 10;
  for (char digit : text.substr(std::min<std::size_t>(2, text.size()))) {
    if (digit < '0' || digit > '9') break;
    weight += (digit - '0') * unit;
    unit /= 10;
  }
  return weight;
}

/// One element of an Accept or Accept-Encoding header.
struct Range {
  std::string_view name;
  std::optional<std::string_view> version;
  int weight = kFull;
};

Range ParseRange(std::string_view text) {
  Range range;
  range.name = TakeUntil(text, ';');
  while (!text.empty()) {
    std::string_view value = TakeUntil(text, ';');
    const std::string_view key = TakeUntil(value, '=');
    value = Trim(value);
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
      value = value.substr(1, value.size() - 2);
    }
    if (EqualsIgnoringCase(key, "q")) range.weight = ParseWeight(value);
    if (EqualsIgnoringCase(key, "version")) range.version = value;
  }
  return range;
}

// 0: does not match.
int Specificity(const Range& range, std::string_view type, std::string_view version) {
  if (range.name == "*/*") return 1;
  if (range.name.ends_with("/*")) {
    const std::string_view family = range.name.substr(0, range.name.size() - 1);
    return EqualsIgnoringCase(family, type.substr(0, type.find('/') + 1)) ? 2 : 0;
  }
  if (!EqualsIgnoringCase(range.name, type)) return 0;
  if (!range.version) return 3;
  return *range.version == version ? 4 : 0;
}

}  // namespace

int AcceptQuality(std::string_view accept, std::string_view type, std::string_view version) {
  int best = 0;
  int quality = 0;
  while (!accept.empty()) {
    const Range range = ParseRange(TakeUntil(accept, ','));
    const int specificity = Specificity(range, type, version);
    if (specificity > best) {
      best = specificity;
      quality = range.weight;
    }
  }
  return quality;
}

bool AcceptsGzip(std::string_view accept_encoding) {
  std::optional<bool> named;
  bool any = false;
  while (!accept_encoding.empty()) {
    const Range range = ParseRange(TakeUntil(accept_encoding, ','));
    if (EqualsIgnoringCase(range.name, "gzip")) named = range.weight > 0;
    if (range.name == "*") any = range.weight > 0;
  }
  return named.value_or(any);
}

}  // namespace tidegauge
