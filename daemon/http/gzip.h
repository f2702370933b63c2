// Compression of responses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tidegauge {

/// `text` as one gzip member; absent when there is not enough memory: send it as it is.
std::optional<std::string> Gzip(std::string_view text);

}  // namespace tidegauge
