// How often a query plans a batch, from the times of its recent ones.
#pragma once

#include <optional>

#include "core/checkpoint/snapshot.h"
#include "core/model.h"

namespace tidegauge {

/// The median time from one batch to the next, of the newest twenty; absent when fewer than four
/// steps are known, or when they differ too much to foretell anything.
std::optional<Duration> BatchSpacing(const Checkpoint& checkpoint);

/// About when `batch`, which is not planned yet, will be; absent when the rhythm is unknown, or
/// when the query is not in it at present.
std::optional<Time> ExpectedAt(const Checkpoint& checkpoint, BatchId batch, Time now);

}  // namespace tidegauge
