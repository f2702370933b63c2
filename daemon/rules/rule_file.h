// The rule file for Prometheus: `tidegauge config rules`, and
// deploy/prometheus/tidegauge.rules.yml.
#pragma once

#include <string>
#include <vector>

#include "core/detectors/detector.h"

namespace tidegauge {

struct RuleFileOptions {
  std::string job = "tidegauge";  ///< under which Prometheus scrapes the daemon
  /// Where the folder docs/ is to be read; by default where it is installed.
  std::string runbook_base = "file:///usr/share/doc/tidegauge";
};

std::string RuleFile(const std::vector<DetectorPtr>& detectors, const RuleFileOptions& options);

}  // namespace tidegauge
