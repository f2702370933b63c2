// What happened to findings, kept for people who ask later.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/history/ledger.h"

namespace tidegauge {

/// How long an event is remembered, and how many of one query at most.
inline constexpr Duration kEventsRemembered = std::chrono::hours(24 * 90);
inline constexpr std::size_t kEventsPerQuery = 100;

/// Adds `event`, the newest, and forgets what is too old or too much.
void NoteEvent(Ledger& ledger, Event event);

/// Events and acknowledgements of all queries, newest first.
std::vector<Event> HistoryOf(const Ledger& ledger);

}  // namespace tidegauge
