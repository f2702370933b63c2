// Which path answers what: the pages, the API and the management paths of Prometheus.
#pragma once

#include <functional>

#include "core/report.h"
#include "core/result.h"
#include "daemon/expose/metrics.h"
#include "daemon/expose/self_report.h"
#include "daemon/http/message.h"

namespace tidegauge {

/// What the paths ask of the daemon. Each is called on the server's thread and returns within
/// moments.
struct WebSources {
  std::function<ReportPtr()> report;        ///< the newest; null before the first poll is complete
  std::function<SelfReport()> self;         ///< as of now
  std::function<MetricsOptions()> metrics;  ///< of the configuration in use
  std::function<Result<void>()> healthy;    ///< the error says what has stopped moving
  /// Calls its argument once the reload has been made, from any thread; empty: not enabled
  /// (--web.enable-lifecycle).
  std::function<void(std::function<void(const Result<void>&)>)> reload;
  std::function<Time()> now;
};

/// | path | methods | |
/// |---|---|---|
/// | `/` | GET, HEAD | the page |
/// | `/metrics` | GET, HEAD | text 0.0.4, or OpenMetrics 1.0 for who prefers it |
/// | `/api/v1/queries`, `/api/v1/findings` | GET, HEAD | JSON; 503 before the first poll |
/// | `/-/healthy` | GET, HEAD | 503 when the daemon has stopped moving |
/// | `/-/ready` | GET, HEAD | 503 before the first poll |
/// | `/-/reload` | PUT, POST | 403 unless enabled; 500 with the reason, and nothing changed |
///
/// Otherwise 404, or 405 with Allow. Bodies worth it are compressed for clients that take gzip.
HttpHandler MakeRoutes(WebSources sources);

}  // namespace tidegauge
