// Network addresses as people write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tidegauge {

/// `host:port`, `[ipv6]:port` or `:port` (all addresses of this host). kInvalid: anything else.
Result<void> CheckListenAddress(std::string_view text);

/// One or more `host`, `host:port`, `[ipv6]:port`, each possibly with a protocol in front
/// (`SSL://host:port`), separated by commas. kInvalid: anything else.
Result<void> CheckBootstrapServers(std::string_view text);

/// `http://host`, `https://host:port`, each possibly with a path, separated by commas. kInvalid:
/// anything else; a user or password belongs elsewhere.
Result<void> CheckUrls(std::string_view text);

/// The URLs of such a text, without slashes at their ends.
std::vector<std::string> SplitUrls(std::string_view text);

}  // namespace tidegauge
