#include "config/address.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace tidegauge {
namespace {

bool IsPort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

bool IsHost(std::string_view text) {
  if (text.starts_with('[')) return text.size() > 2 && text.ends_with(']');
  return !text.empty() && std::ranges::none_of(text, [](unsigned char c) {
    return c <= ' ' || c == '/' || c == ':' || c == '@' || c == 0x7F;
  });
}

std::size_t PortColon(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const std::size_t bracket = text.rfind(']');
  return colon == text.npos || (bracket != text.npos && bracket > colon) ? text.npos : colon;
}

bool IsServer(std::string_view text) {
  if (const std::size_t scheme = text.find("://"); scheme != text.npos) {
    text.remove_prefix(scheme + 3);
  }
  const std::size_t colon = PortColon(text);
  if (colon == text.npos) return IsHost(text);
  return IsHost(text.substr(0, colon)) && IsPort(text.substr(colon + 1));
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<void> CheckListenAddress(std::string_view text) {
  const std::size_t colon = PortColon(text);
  if (colon != text.npos && IsPort(text.substr(colon + 1)) &&
      (colon == 0 || IsHost(text.substr(0, colon)))) {
    return {};
  }
  return Fail(ErrorKind::kInvalid, fmt::format("'{}' is not host:port or :port", text));
}

Result<void> CheckBootstrapServers(std::string_view text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view server = Trim(text.substr(begin, end - begin));
    begin = end + 1;
    if (IsServer(server)) continue;
    return Fail(ErrorKind::kInvalid, fmt::format("'{}' is not host:port", server));
  }
  return {};
}

}  // namespace tidegauge
