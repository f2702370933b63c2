// A plan as text: what `plan` prints.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"

namespace tidegauge {

/// `set_up`: the commands after which `$PLAN` is the directory with the plan's files.
std::string PlanText(const Plan& plan, const std::vector<std::string>& set_up);

}  // namespace tidegauge
