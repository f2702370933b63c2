// A plan as JSON: what `plan --format=json` prints, for scripts.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"

namespace tidegauge {

/// {"query", "unknown": [], "files": [name], "directory", "set_up": [], "findings": [{"kind",
/// "topic", "remedies": [{"id", "title", "cost", "steps": [{"what", "commands": []}]}]}]}, on one
/// line. `directory` is where the files are, what `$PLAN` stands for in commands; null: they have
/// not been written. `set_up`: the commands after which `$PLAN` is it, once and before any other;
/// none where no command uses it.
std::string PlanJson(const Plan& plan, const std::string& directory,
                     const std::vector<std::string>& set_up);

}  // namespace tidegauge
