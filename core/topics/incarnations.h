// Which lives of a topic have been seen, and which one is current.
#pragma once

#include <string>

#include "core/history/ledger.h"
#include "core/model.h"
#include "core/ports.h"

namespace tidegauge {

/// How many lives of one topic are remembered: some recreate a topic every night.
inline constexpr std::size_t kMaxIncarnations = 16;

/// Notes in `ledger` that `topic` answered as `answer` at `now`, and returns its current incarnation.
/// Where the broker gives topic ids, a new id is a new incarnation. Where it gives none, log ends that
/// stay below ends seen before, in two polls in a row, are one; a zero id proves nothing either way.
/// `answer.presence` must be kPresent. The reference is valid until the topic is noted again.
const Incarnation& NoteTopic(Ledger& ledger, const std::string& cluster_id,
                             const std::string& topic, const TopicAnswer& answer, Time now);

}  // namespace tidegauge
