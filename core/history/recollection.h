// What is remembered of queries as a whole, and what is forgotten again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"
#include "core/history/ledger.h"
#include "core/world.h"

namespace tidegauge {

/// When `checkpoint` is another one than was last seen under `query`, as its query id or its path
/// says, forgets which life of its topics the other one's offsets belonged to; and, when the path
/// is the same, notes that the id has changed.
void ForgetOtherCheckpoint(Ledger& ledger, const std::string& query, const Checkpoint& checkpoint);

/// Notes that `query` was read, with `waiting` records to read (if that is known); returns what was
/// remembered of it before, of this checkpoint.
QueryMemory NoteQuery(Ledger& ledger, const std::string& query, const Checkpoint& checkpoint,
                      const std::string& cluster_id, std::optional<Offset> waiting, Time now);

/// What `query` has passed over and nobody has acknowledged.
std::vector<SkipEvent> OpenSkips(const Ledger& ledger, const std::string& query);

/// Marks as acknowledged what acknowledgements name; one that came before an event does not cover
/// it. The acknowledgement of a changed cluster or query id accepts the new one, that of a
/// restarted checkpoint where it begins, and a missing checkpoint's query is forgotten.
void ApplyAcknowledgements(Ledger& ledger);

/// How long a query, or a topic, that is no longer seen is remembered.
inline constexpr Duration kRemembered = std::chrono::hours(24 * 30);

/// Drops what belongs to nothing that is watched any more.
void Forget(Ledger& ledger, const Readings& readings, Time now);

}  // namespace tidegauge
