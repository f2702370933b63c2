// The page that Prometheus scrapes.
//
// Built afresh from one report at each scrape, so that nothing outlives its cause. What is unknown
// has no series: a series that is absent from one scrape is stale at once.
#pragma once

#include <cstddef>
#include <string>

#include "core/report.h"
#include "daemon/expose/exposition.h"
#include "daemon/expose/self_report.h"

namespace tidegauge {

/// What lag is counted by, and so the labels of its series. Offsets are shown by partition or not
/// at all.
enum class LagGranularity { kPartition, kTopic, kQuery };

struct MetricsOptions {
  LagGranularity granularity = LagGranularity::kPartition;
  /// When a page would have more series, offsets and lag are shown more coarsely, in the end not at
  /// all; never cut somewhere in the middle of a family. Findings and the rest are always shown.
  std::size_t series_limit = 200'000;
};

/// `report` is null before the first poll has completed: the page then speaks of the process alone.
std::string RenderMetrics(const Report* report, const SelfReport& self,
                          const MetricsOptions& options, MetricFormat format);

}  // namespace tidegauge
