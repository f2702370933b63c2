// A plan as text: what `plan` prints.
#pragma once

#include <string>

#include "core/plan.h"

namespace tidegauge {

/// `how_to_get_files`: the commands after which `$PLAN` is the directory with the plan's files.
std::string PlanText(const Plan& plan, const std::string& how_to_get_files);

}  // namespace tidegauge
