// How fast a number has grown of late, from a handful of remembered samples.
#pragma once

#include <optional>

#include "core/history/ledger.h"
#include "core/model.h"

namespace tidegauge {

/// Remembers `value` at `at`. Samples thin out as they age: kRateSamples of them span a day at
/// most. A value that fell starts afresh.
void AddSample(RateSamples& samples, Time at, Offset value);

/// Growth per second from the oldest sample to `value` at `at`; absent with less than ten seconds
/// to judge by.
std::optional<double> RatePerSecond(const RateSamples& samples, Time at, Offset value);

/// The same from the newest sample that is at least an hour old, if there is one: a query that has
/// moved all day and stands still now shows it.
std::optional<double> RateLately(const RateSamples& samples, Time at, Offset value);

}  // namespace tidegauge
