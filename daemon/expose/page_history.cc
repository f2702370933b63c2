#include "daemon/expose/page_history.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include "daemon/expose/html.h"
#include "daemon/expose/subject.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

constexpr std::size_t kEventsShown = 20;

std::string TextOf(const Event& event) {
  if (!event.firing_since) return EscapeHtml(event.text);
  return fmt::format("after {}", DurationText(event.at - *event.firing_since));
}

void AddEvent(std::string& out, const Event& event) {
  fmt::format_to(std::back_inserter(out),
                 "<tr><td>{}</td><td>{}</td><td><b>{}</b><br>"
                 "<span class=\"soft\">{}</span></td><td class=\"wide\">{}</td></tr>\n",
                 UtcText(event.at), ToString(event.type), EscapeHtml(event.key.kind),
                 EscapeHtml(SubjectOf(event.key)), TextOf(event));
}

}  // namespace

void AddHistory(std::string& out, const Report& report) {
  if (report.history.empty()) return;
  out +=
      "<h2>What happened</h2>\n<div class=\"scroll\"><table><thead><tr><th>When</th><th>What</th>"
      "<th>Finding</th><th class=\"wide\">In words</th></tr></thead><tbody>\n";
  const std::size_t shown = std::min(report.history.size(), kEventsShown);
  for (std::size_t i = 0; i < shown; ++i) AddEvent(out, report.history[i]);
  out += "</tbody></table></div>\n";
  if (shown < report.history.size()) {
    out += "<p>All of it: <code>tidegauge history QUERY</code></p>\n";
  }
}

}  // namespace tidegauge
