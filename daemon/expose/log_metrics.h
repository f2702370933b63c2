// What is known of the logs of sinks and file sources, as metrics.
#pragma once

#include "core/report.h"
#include "daemon/expose/exposition.h"

namespace tidegauge {

/// Nothing at all for a query whose logs are not watched.
void AddLogs(Exposition& out, const Report& report);

}  // namespace tidegauge
