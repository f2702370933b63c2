// Offsets and lag, the part of /metrics that grows with the partitions.
#pragma once

#include "core/report.h"
#include "daemon/expose/exposition.h"
#include "daemon/expose/metrics.h"

namespace tidegauge {

/// At the granularity asked for, or at the finest coarser one with which `out` stays within the
/// series limit. Call it last: what `out` has already counts.
void AddLag(Exposition& out, const Report& report, const MetricsOptions& options);

}  // namespace tidegauge
