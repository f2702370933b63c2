// What the scans of data files have found, as metrics.
#pragma once

#include "core/report.h"
#include "daemon/expose/exposition.h"

namespace tidegauge {

/// Nothing at all for a query whose data files are not scanned.
void AddDataFiles(Exposition& out, const Report& report);

}  // namespace tidegauge
