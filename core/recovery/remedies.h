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

/// Of what Kafka and the checkpoint disagree on; of the checkpoint alone; of a compactible log; of
/// the data files that one lists. None for a finding of another of the four.
std::vector<Remedy> KafkaRemediesFor(const Finding& finding, const PlanContext& context);
std::vector<Remedy> CheckpointRemediesFor(const Finding& finding, const PlanContext& context);
std::vector<Remedy> LogRemediesFor(const Finding& finding, const PlanContext& context);
std::vector<Remedy> DataFileRemediesFor(const Finding& finding, const PlanContext& context);

/// Adds `more` at the end of `commands`.
void Append(std::vector<std::string>& commands, std::vector<std::string> more);

PlanStep StopQuery(const PlanContext& context);
/// Of what a correction touches.
PlanStep KeepACopy(const PlanContext& context);
PlanStep CheckQuery(const PlanContext& context);

Remedy CorrectOffsetsRemedy(const PlanContext& context, std::string cost);
Remedy NewCheckpointRemedy(const PlanContext& context);
/// Start once with failOnDataLoss=false.
Remedy GoOnRemedy(const PlanContext& context, std::string cost);

}  // namespace tidegauge
