// The plan of a batch that a second driver made.
#pragma once

#include <optional>

#include "core/checkpoint/directory.h"
#include "core/checkpoint/snapshot.h"

namespace tidegauge {

/// Checkpoint::planned_again, from the temporary files of `listing`. `found` has the times of its
/// batches already. What cannot be read proves nothing: it may have become the batch's file
/// meanwhile.
std::optional<BatchTime> FindSecondPlan(const CheckpointDirectory& directory,
                                        const CheckpointListing& listing, const Checkpoint& found);

}  // namespace tidegauge
