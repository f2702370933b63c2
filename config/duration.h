// Durations as Prometheus writes them: whole numbers with units, largest first, as in 1h30m.
#pragma once

#include <string>
#include <string_view>

#include "core/model.h"
#include "core/result.h"

namespace tidegauge {

/// More than anybody waits; keeps sums of a time and a duration within their type.
inline constexpr Duration kLongestDuration = std::chrono::days(36'500);

/// `500ms`, `30s`, `10m`, `1h30m`, `1d`, `2w`, or `0`. Each unit once, from weeks down to
/// milliseconds. kInvalid: anything else, and more than kLongestDuration.
Result<Duration> ParseDuration(std::string_view text);

/// The shortest form that ParseDuration reads back: 90 minutes are `1h30m`, nothing is `0s`.
/// `duration` is not negative.
std::string FormatDuration(Duration duration);

}  // namespace tidegauge
