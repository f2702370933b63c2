// What an operator can do about what was found: values to print. Nothing here is ever carried out
// by this program.
#pragma once

#include <string>
#include <vector>

#include "core/model.h"

namespace tidegauge {

/// One thing to do. Commands are for a POSIX shell; `${PLAN…}` in them is the directory that holds
/// the plan's files.
struct PlanStep {
  std::string what;
  std::vector<std::string> commands;  ///< empty: nothing that a shell could do
};

/// One way out, whole: from the back-up before to the check after.
struct Remedy {
  std::string id;  ///< stable, for scripts: correct_offsets, new_checkpoint, …
  std::string title;
  std::string cost;  ///< what is lost, what may come twice, what readers see
  std::vector<PlanStep> steps;
};

struct FindingPlan {
  Finding finding;
  std::vector<Remedy> remedies;  ///< in the order a careful engineer would try them
};

/// A file that a step uses, below `$PLAN`.
struct PlanFile {
  std::string name;
  std::string content;
};

struct Plan {
  std::string query;
  std::vector<FindingPlan> findings;  ///< by severity; empty: nothing was found
  std::vector<PlanFile> files;
  std::vector<std::string>
      unknown;  ///< what could not be judged, so that the plan may lack something
};

/// Whether any command of `plan` uses the directory with its files.
bool UsesDirectory(const Plan& plan);

}  // namespace tidegauge
