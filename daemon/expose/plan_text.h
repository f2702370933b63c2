// A plan as text: what `plan` prints.
#pragma once

#include <string>

#include "core/plan.h"

namespace tidegauge {

/// `files_at`: the directory that holds the plan's files; empty: they are not written.
std::string PlanText(const Plan& plan, const std::string& files_at);

}  // namespace tidegauge
