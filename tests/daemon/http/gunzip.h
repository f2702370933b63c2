// The inverse of Gzip, for tests.
#pragma once

#include <string>
#include <string_view>

namespace tidegauge {

/// Empty when `bytes` is no single, complete gzip member.
std::string Gunzip(std::string_view bytes);

}  // namespace tidegauge
