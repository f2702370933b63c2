#include "core/checkpoint/log_text.h"

#include <charconv>

#include <fmt/core.h>

namespace tidegauge {

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

Result<int> ParseVersionLine(std::string_view line) {
  int version = 0;
  const char* end = line.data() + line.size();
  if (line.size() < 2 || line.front() != 'v' ||
      std::from_chars(line.data() + 1, end, version) != std::from_chars_result{end, std::errc{}} ||
      version <= 0) {
    return Fail(ErrorKind::kCorrupt,
                fmt::format("line 1: expected a version such as 'v1', found '{}'", Excerpt(line)));
  }
  return version;
}

std::string Excerpt(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string excerpt;
  for (const char c : text.substr(0, kMost)) {
    if (c >= ' ' && c <= '~') {
      excerpt += c;
    } else {
      excerpt += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  if (text.size() > kMost) excerpt += "…";
  return excerpt;
}

}  // namespace tidegauge
