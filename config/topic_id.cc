#include "config/topic_id.h"

#include <algorithm>
#include <cctype>

namespace tidegauge {

std::optional<std::string> NormaliseTopicId(std::string_view text) {
  constexpr std::size_t kLength = 22;
  if (text.ends_with("==")) text.remove_suffix(2);
  if (text.size() != kLength) return std::nullopt;
  std::string id(text);
  std::ranges::replace(id, '-', '+');
  std::ranges::replace(id, '_', '/');
  const bool valid = std::ranges::all_of(id, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '+' || c == '/');
  });
  if (!valid) return std::nullopt;
  return id == std::string(kLength, 'A') ? "" : id;
}

}  // namespace tidegauge
