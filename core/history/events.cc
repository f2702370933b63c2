#include "core/history/events.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace tidegauge {
namespace {

Event EventOf(const Acknowledgement& made) {
  return {.at = made.at,
          .type = EventType::kAcknowledged,
          .key = made.key,
          .text = fmt::format("by {}: {}", made.who, made.why)};
}

void ForgetOldest(std::map<std::int64_t, Event>& events, const std::string& query) {
  const auto is_of_query = [&](const auto& e) { return e.second.key.query == query; };
  const auto count = std::ranges::count_if(events, is_of_query);
  if (static_cast<std::size_t>(count) <= kEventsPerQuery) return;
  events.erase(std::ranges::find_if(events, is_of_query));
}

}  // namespace

void NoteEvent(Ledger& ledger, Event event) {
  std::map<std::int64_t, Event>& events = ledger.events;
  std::erase_if(events, [&](const auto& e) { return event.at - e.second.at > kEventsRemembered; });
  const std::int64_t number = events.empty() ? 0 : events.rbegin()->first + 1;
  const std::string& query =
      events.emplace_hint(events.end(), number, std::move(event))->second.key.query;
  ForgetOldest(events, query);
}

std::vector<Event> HistoryOf(const Ledger& ledger) {
  std::vector<Event> history;
  history.reserve(ledger.events.size() + ledger.acknowledgements.size());
  for (const auto& [number, event] : ledger.events) history.push_back(event);
  for (const Acknowledgement& made : ledger.acknowledgements) history.push_back(EventOf(made));
  std::ranges::reverse(history);
  std::ranges::stable_sort(history, std::ranges::greater(), &Event::at);
  return history;
}

}  // namespace tidegauge
