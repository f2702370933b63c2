#include "daemon/rules/rule_file.h"

#include "daemon/rules/daemon_rules.h"
#include "daemon/rules/finding_rules.h"

namespace tidegauge {

namespace {

constexpr const char* kObject = R"(apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: tidegauge
  labels: {app.kubernetes.io/name: tidegauge}
spec:
)";

std::string Indented(const std::string& text) {
  std::string indented;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    indented.append("  ").append(text, begin, end - begin);
    begin = end;
  }
  return indented;
}

}  // namespace

std::string RuleFile(const std::vector<DetectorPtr>& detectors, const RuleFileOptions& options) {
  std::string base = options.runbook_base;
  while (base.ends_with('/')) base.pop_back();
  const std::string rules = RenderRules({FindingRules(detectors), DaemonRules(options.job)}, base);
  const std::string title = "# Rules for Prometheus 2.42 or later, as `tidegauge config rules";
  if (options.for_operator) {
    return title + " --format=kubernetes` prints them.\n" + kObject + Indented(rules);
  }
  return title + "` prints them.\n" + rules;
}

}  // namespace tidegauge
