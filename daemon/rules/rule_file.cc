#include "daemon/rules/rule_file.h"

#include "daemon/rules/daemon_rules.h"
#include "daemon/rules/finding_rules.h"

namespace tidegauge {

std::string RuleFile(const std::vector<DetectorPtr>& detectors, const RuleFileOptions& options) {
  std::string base = options.runbook_base;
  while (base.ends_with('/')) base.pop_back();
  return "# Rules for Prometheus 2.42 or later, as `tidegauge config rules` prints them.\n" +
         RenderRules({FindingRules(detectors), DaemonRules(options.job)}, base);
}

}  // namespace tidegauge
