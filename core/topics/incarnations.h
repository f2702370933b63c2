// Which lives of a topic have been seen, and which one is current.
#pragma once

#include <string>

#include "core/history/ledger.h"
#include "core/model.h"
#include "core/ports.h"

namespace tidegauge {

/// How many lives of one topic are remembered: some recreate a topic every night.
inline constexpr std::size_t kMaxIncarnations = 16;

/// Notes in `ledger` that `topic` answered as `answer` at `now`, and returns its current
/// incarnation. Where the broker gives topic ids, a new id is a new incarnation. Where it gives
/// none, one begins when log ends lie below ends seen before in two polls in a row, or
/// `offsets_fell`: Spark itself, which asks three times, wrote offsets below those of the batch
/// before. A log that then starts above 0 was truncated, not recreated. A zero id proves nothing
/// either way. `answer.presence` must be kPresent. The reference is valid until the topic is noted
/// again.
const Incarnation& NoteTopic(Ledger& ledger, const std::string& cluster_id,
                             const std::string& topic, const TopicAnswer& answer, bool offsets_fell,
                             Time now);

}  // namespace tidegauge
