// The remedies of each kind. What they share: stop, keep a copy, do it, check, start.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"
#include "core/recovery/corrected_offsets.h"
#include "core/recovery/plan.h"

namespace tidegauge {

/// What every remedy of one query can draw on.
struct PlanContext {
  const PlanInput& input;
  Corrections corrections;
  BatchesToCorrect batches;
  bool can_correct = false;  ///< the corrected file is part of the plan
};

/// The name of the corrected file, below $PLAN; as below the checkpoint.
std::string CorrectedFileName(const PlanContext& context);

std::vector<Remedy> RemediesFor(const Finding& finding, const PlanContext& context);

/// Of a finding about a compactible log.
std::vector<Remedy> LogRemediesFor(const Finding& finding, const PlanContext& context);

/// Of a finding about the checkpoint itself.
std::vector<Remedy> CheckpointRemediesFor(const Finding& finding, const PlanContext& context);

PlanStep StopQuery(const PlanContext& context);
/// Of what a correction touches.
PlanStep KeepACopy(const PlanContext& context);
PlanStep CheckQuery(const PlanContext& context);

Remedy CorrectOffsetsRemedy(const PlanContext& context, std::string cost);
Remedy NewCheckpointRemedy(const PlanContext& context);
/// Start once with failOnDataLoss=false.
Remedy GoOnRemedy(const PlanContext& context, std::string cost);

}  // namespace tidegauge
