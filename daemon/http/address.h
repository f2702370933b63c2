// Listen addresses as Prometheus writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace tidegauge {

struct ListenAddress {
  std::string host;  ///< empty: all interfaces; without the brackets of IPv6
  std::uint16_t port = 0;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

/// `:10977`, `host:10977`, `192.0.2.1:10977`, `[::1]:10977`. Error: kInvalid.
Result<ListenAddress> ParseListenAddress(std::string_view text);

}  // namespace tidegauge
