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

/// What stands between the commas.
std::vector<std::string_view> SplitList(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(Trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

bool IsUrl(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == text.npos) return false;
  const std::string_view name = text.substr(0, scheme);
  const std::string_view host = text.substr(scheme + 3, text.find('/', scheme + 3) - scheme - 3);
  const bool is_plain = std::ranges::none_of(
      text, [](unsigned char c) { return c <= ' ' || c == '?' || c == '#' || c == 0x7F; });
  return (name == "http" || name == "https") && is_plain && IsServer(host);
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
  for (const std::string_view server : SplitList(text)) {
    if (IsServer(server)) continue;
    return Fail(ErrorKind::kInvalid, fmt::format("'{}' is not host:port", server));
  }
  return {};
}

Result<void> CheckUrls(std::string_view text) {
  for (const std::string_view url : SplitList(text)) {
    if (IsUrl(url)) continue;
    return Fail(ErrorKind::kInvalid, fmt::format("'{}' is not http://host:port", url));
  }
  return {};
}

std::vector<std::string> SplitUrls(std::string_view text) {
  std::vector<std::string> urls;
  for (std::string_view url : SplitList(text)) {
    while (url.ends_with('/')) url.remove_suffix(1);
    if (!url.empty()) urls.emplace_back(url);
  }
  return urls;
}

}  // namespace tidegauge
