#include "daemon/expose/page.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "daemon/expose/html.h"
#include "daemon/expose/overview.h"
#include "daemon/expose/page_findings.h"
#include "daemon/expose/page_history.h"
#include "daemon/expose/page_style.h"
#include "daemon/expose/page_tables.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

constexpr int kRefreshSeconds = 30;

std::string_view ToneOf(const Overview& overview) {
  if (overview.critical > 0) return "critical";
  if (overview.warning > 0 || overview.pending > 0) return "warning";
  if (overview.unjudged > 0 || overview.other_unknown > 0) return "unknown";
  if (overview.info > 0) return "info";
  return overview.all_clear() ? "good" : "unknown";
}

std::string MemoryText(const Report& report, const Overview& overview, Time now) {
  if (report.first_sight) {
    return "First sight: nothing was remembered before this poll. A topic recreated earlier is "
           "found "
           "only where record timestamps prove it.";
  }
  if (!overview.remembered_since) {
    return "Not every query's topics are remembered from an earlier poll.";
  }
  return fmt::format("Topics of all judged queries are remembered since {} ({} ago).",
                     UtcText(*overview.remembered_since),
                     DurationText(now - *overview.remembered_since));
}

std::string DiskText(const Report& report) {
  if (report.state_persistent) return {};
  return " What was learnt did not reach the disk: a restart forgets it.";
}

void AddHead(std::string& out, std::string_view title) {
  fmt::format_to(std::back_inserter(out),
                 "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta http-equiv=\"refresh\" content=\"{}\">\n"
                 "<title>{} - tidegauge</title>\n<style>{}</style>\n</head>\n<body>\n",
                 kRefreshSeconds, EscapeHtml(title), kPageStyle);
}

void AddTop(std::string& out, std::string_view polled) {
  fmt::format_to(std::back_inserter(out),
                 "<header class=\"top\"><b>tidegauge</b><span>{}</span></header>\n<main>\n",
                 polled);
}

void AddBanner(std::string& out, std::string_view tone, std::string_view headline,
               std::string_view more) {
  fmt::format_to(std::back_inserter(out),
                 "<section class=\"banner {}\"><strong>{}</strong><p>{}</p></section>\n", tone,
                 EscapeHtml(headline), EscapeHtml(more));
}

void AddFoot(std::string& out, const SelfReport& self) {
  fmt::format_to(std::back_inserter(out),
                 "</main>\n<footer><a href=\"metrics\">/metrics</a>"
                 "<a href=\"api/v1/findings\">/api/v1/findings</a>"
                 "<a href=\"api/v1/queries\">/api/v1/queries</a>"
                 "<a href=\"api/v1/history\">/api/v1/history</a>"
                 "<a href=\"-/healthy\">/-/healthy</a><a href=\"-/ready\">/-/ready</a>"
                 "<span>version {}</span></footer>\n</body>\n</html>\n",
                 EscapeHtml(self.version));
}

}  // namespace

std::string RenderPage(const Report* report, const SelfReport& self, Time now) {
  std::string out;
  if (report == nullptr) {
    AddHead(out, "Starting");
    AddTop(out, "not polled yet");
    AddBanner(out, "unknown", "Nothing judged yet", "The first poll has not been completed.");
    AddFoot(out, self);
    return out;
  }
  const Overview overview = OverviewOf(*report);
  const std::string headline = Headline(overview);
  AddHead(out, headline);
  AddTop(out, fmt::format("polled {} ago, {}", DurationText(now - report->polled_at),
                          UtcText(report->polled_at)));
  AddBanner(out, ToneOf(overview), headline,
            MemoryText(*report, overview, now) + DiskText(*report));
  AddFindingCards(out, overview, now);
  AddUnknownCards(out, *report);
  AddQueryTable(out, *report, now);
  AddLogTable(out, *report);
  AddDataFileTable(out, *report, now);
  AddClusterTable(out, *report, now);
  AddHistory(out, *report);
  AddFoot(out, self);
  return out;
}

}  // namespace tidegauge
