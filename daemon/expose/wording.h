// How times and numbers are worded for people (and, for times, in JSON).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/model.h"

namespace tidegauge {

/// `2026-11-30T04:00:00Z`, with milliseconds where there are any (RFC 3339). A time outside of the
/// years 0 to 9999, which only a damaged file can hold, is shown as the nearest time inside.
std::string Rfc3339(Time time);

/// `2026-11-30 04:00:00 UTC`
std::string UtcText(Time time);

/// The two largest units: `3 d 4 h`, `2 min 5 s`, `0 s`. A negative duration counts as none.
std::string DurationText(Duration duration);

/// `1,234,567`
std::string NumberText(std::int64_t number);

/// `1 record`, `2 records`
std::string CountText(std::int64_t number, std::string_view noun);

}  // namespace tidegauge
