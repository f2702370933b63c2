#include "core/plan.h"

#include <algorithm>

namespace tidegauge {
namespace {

bool UsesDirectory(const PlanStep& step) {
  return std::ranges::any_of(step.commands, [](const std::string& command) {
    return command.find("${PLAN") != std::string::npos;
  });
}

}  // namespace

bool UsesDirectory(const Plan& plan) {
  for (const FindingPlan& finding : plan.findings) {
    for (const Remedy& remedy : finding.remedies) {
      for (const PlanStep& step : remedy.steps) {
        if (UsesDirectory(step)) return true;
      }
    }
  }
  return false;
}

}  // namespace tidegauge
