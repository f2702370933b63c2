// A plan as JSON: what `plan --format=json` prints, for scripts.
#pragma once

#include <string>

#include "core/plan.h"

namespace tidegauge {

/// {"query", "unknown": [], "files": [name], "findings": [{"kind", "topic", "remedies": [{"id",
/// "title", "cost", "steps": [{"what", "commands": []}]}]}]}, on one line.
std::string PlanJson(const Plan& plan);

}  // namespace tidegauge
