// The alerts on what the daemon finds: one a kind, made of what its detector says of itself.
//
// The daemon has confirmed a finding and held it before its series appears, and keeps it until
// there is evidence that it is over. So these rules wait for nothing; what they must not do is take
// a series that could not be scraped for a finding that is over: docs/decisions/0007.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/detectors/detector.h"
#include "daemon/rules/rule.h"

namespace tidegauge {

/// What a kind foretells is a warning first, and critical from `near` before its time on.
struct Horizon {
  std::string_view kind;
  Duration near;
};

const std::vector<Horizon>& Horizons();

RuleGroup FindingRules(const std::vector<DetectorPtr>& detectors);

}  // namespace tidegauge
