// The upper half of the page: what is broken, and what could not be judged.
#pragma once

#include <string>

#include "core/report.h"
#include "daemon/expose/overview.h"

namespace tidegauge {

/// One card a finding, worst first; nothing when there is none.
void AddFindingCards(std::string& out, const Overview& overview, Time now);

/// One card for each query, cluster and entry of the configuration that could not be judged.
void AddUnknownCards(std::string& out, const Report& report);

}  // namespace tidegauge
