// The life of a finding over polls: pending until it has held for its hold time, firing until there
// is evidence that it is over. Nothing is resolved because something could not be read.
#pragma once

#include <functional>
#include <vector>

#include "core/history/ledger.h"
#include "core/model.h"

namespace tidegauge {

/// How long a finding must hold before it fires.
using HoldOf = std::function<Duration(const Finding&)>;
/// Whether this poll could have found a finding of this key, had it still held.
using WasJudged = std::function<bool(const FindingKey&)>;

/// Takes what one poll found into `ledger.findings`.
void TakeFindings(Ledger& ledger, const std::vector<Finding>& found, const HoldOf& hold,
                  const WasJudged& judged, Time now);

/// How long a resolved finding is remembered.
inline constexpr Duration kResolvedRemembered = std::chrono::hours(24);

}  // namespace tidegauge
