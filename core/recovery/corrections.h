// Which numbers a query's checkpoint should have instead, as its findings show.
#pragma once

#include <string>
#include <vector>

#include "core/model.h"
#include "core/recovery/corrected_offsets.h"
#include "core/report.h"

namespace tidegauge {

/// Whether a finding of this kind is mended by other numbers in the checkpoint.
bool IsCorrectable(const Finding& finding);

/// Of all correctable findings together, so that one corrected file mends them all: a partition
/// that is gone is taken out; one that expired, or belongs to an earlier life of its topic, starts
/// at the log start; one beyond the log end, at the log end. A partition that did not answer is
/// left out.
Corrections CorrectionsFor(const std::vector<Finding>& findings);

/// The option `startingOffsets` for a new checkpoint that goes on where this one is, but for
/// `corrections`. KafkaOffsetReader wants every partition of every topic; -2: the
/// earliest. Empty: nothing is known. Topics that two sources read differently are left out.
std::string StartingOffsets(const QueryReport& query, const Corrections& corrections);

}  // namespace tidegauge
