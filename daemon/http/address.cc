#include "daemon/http/address.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace tidegauge {
namespace {

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc() || stop != end) return std::nullopt;
  return port;
}

std::unexpected<Error> NoAddress(std::string_view text, std::string_view why) {
  return Fail(
      ErrorKind::kInvalid,
      fmt::format("listen address \"{}\": {}; write :10977, host:10977 or [::1]:10977", text, why));
}

}  // namespace

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return NoAddress(text, "it has no port");
  std::string_view host = text.substr(0, colon);
  const std::optional<std::uint16_t> port = ParsePort(text.substr(colon + 1));
  if (!port) return NoAddress(text, "the port is no number from 0 to 65535");
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    if (host.empty()) return NoAddress(text, "there is nothing in the brackets");
  } else if (host.find_first_of(":[]") != std::string_view::npos) {
    return NoAddress(text, "an IPv6 address wants brackets");
  }
  return ListenAddress{.host = std::string(host), .port = *port};
}

}  // namespace tidegauge
