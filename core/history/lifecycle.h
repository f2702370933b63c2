// The life of a finding over polls: pending until it has held for its hold time, firing until there
// is evidence that it is over. Nothing is resolved because something could not be read.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/history/ledger.h"
#include "core/model.h"

namespace tidegauge {

/// How long a finding must hold before it fires.
using HoldOf = std::function<Duration(const Finding&)>;
/// Whether this poll could have found a finding of this key, had it still held.
using WasJudged = std::function<bool(const FindingKey&)>;

/// A finding that fires again within kFlapWindow of its end flaps. One that has done so
/// kFlapsDamped times ends only when it has been gone for kFlapQuiet: who is paged hears of it
/// once.
inline constexpr Duration kFlapWindow = std::chrono::hours(1);
inline constexpr std::int64_t kFlapsDamped = 2;
inline constexpr Duration kFlapQuiet = std::chrono::minutes(15);

/// Takes what one poll found into `ledger.findings`, and what has changed into its events.
void TakeFindings(Ledger& ledger, const std::vector<Finding>& found, const HoldOf& hold,
                  const WasJudged& judged, Time now);

/// How long a resolved finding is remembered.
inline constexpr Duration kResolvedRemembered = std::chrono::hours(24);

}  // namespace tidegauge
