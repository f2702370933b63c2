// This process as the kernel sees it, for /metrics.
#pragma once

#include "daemon/expose/self_report.h"

namespace tidegauge {

/// Reads /proc/self: some 0.1 ms. What cannot be read is absent.
ProcessStatus ReadProcessStatus();

}  // namespace tidegauge
