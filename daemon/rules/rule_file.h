// The rule file for Prometheus: `tidegauge config rules`, deploy/prometheus/tidegauge.rules.yml and
// deploy/kubernetes/shared/prometheus_rule.yaml.
#pragma once

#include <string>
#include <vector>

#include "core/detectors/detector.h"

namespace tidegauge {

struct RuleFileOptions {
  std::string job = "tidegauge";  ///< under which Prometheus scrapes the daemon
  /// Where the folder docs/ is to be read; by default where it is installed.
  std::string runbook_base = "file:///usr/share/doc/tidegauge";
  bool for_operator = false;  ///< as an object of Prometheus' operator for Kubernetes
};

std::string RuleFile(const std::vector<DetectorPtr>& detectors, const RuleFileOptions& options);

}  // namespace tidegauge
