#include "daemon/expose/history_text.h"

#include <iterator>

#include <fmt/format.h>

#include "daemon/expose/clean_text.h"
#include "daemon/expose/subject.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

void AddEvent(std::string& out, const Event& event) {
  fmt::format_to(std::back_inserter(out), "{}  {:<12}  {}: {}{}\n", UtcText(event.at),
                 ToString(event.type), Printable(event.key.kind), SubjectOf(event.key),
                 event.firing_since
                     ? fmt::format(", after {}", DurationText(event.at - *event.firing_since))
                     : "");
  if (!event.text.empty()) {
    fmt::format_to(std::back_inserter(out), "    {}\n", Printable(event.text));
  }
}

}  // namespace

std::string HistoryText(const std::vector<Event>& events) {
  std::string out;
  for (const Event& event : events) AddEvent(out, event);
  return out;
}

}  // namespace tidegauge
