// A query's own rhythm: how long its batches take, and how long it rests between them.
#pragma once

#include <optional>
#include <string>

#include "core/checkpoint/snapshot.h"
#include "core/history/ledger.h"
#include "core/model.h"

namespace tidegauge {

/// How often it is noted that a query has nothing to read: its row is seldom written so.
inline constexpr Duration kIdleStep = std::chrono::minutes(10);

/// Learns from what `checkpoint` has that `memory` does not know yet; `waiting`: how many records
/// it has yet to read. Once for each poll, before the rest of `memory` is brought up to date.
void NoteRhythm(QueryMemory& memory, const Checkpoint& checkpoint, std::optional<Offset> waiting,
                Time now);

/// The longest that a batch took of late, from its plan to its commit; absent: not known.
std::optional<Duration> LongestBatch(const QueryMemory& memory, const Checkpoint& checkpoint);

/// The second longest time between two plans of late: what happened twice is no accident. Absent:
/// not known.
std::optional<Duration> UsualPause(const QueryMemory& memory, const Checkpoint& checkpoint);

/// "12 min", "4.0 h", "3 days"
std::string SayDuration(Duration duration);

}  // namespace tidegauge
