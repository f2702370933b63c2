// The findings' part of /metrics.
#pragma once

#include "core/report.h"
#include "daemon/expose/exposition.h"

namespace tidegauge {

void AddFindings(Exposition& out, const Report& report);

}  // namespace tidegauge
