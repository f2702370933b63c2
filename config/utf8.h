// Whether bytes are UTF-8: labels, JSON and pages must hold nothing else.
#pragma once

#include <optional>
#include <string_view>

namespace tidegauge {

/// Where the first byte is that is no part of valid UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF); absent when all are.
std::optional<std::size_t> FirstInvalidUtf8(std::string_view text);

}  // namespace tidegauge
