#include "daemon/expose/page.h"

#include <chrono>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/expose/golden.h"
#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Time kNow = kPolledAt + std::chrono::seconds(12);

std::string Render(const Report& report) { return RenderPage(&report, SampleSelf(), kNow); }

std::string BodyOf(const std::string& page) { return page.substr(page.find("<body>")); }

TEST(RenderPage, body_is_as_agreed) {
  const std::string body = BodyOf(Render(SampleReport()));
  EXPECT_EQ(body, Golden("page_body.html", body));
}

TEST(RenderPage, gives_the_all_clear_in_green) {
  EXPECT_THAT(
      Render(QuietReport()),
      HasSubstr("<section class=\"banner good\"><strong>All clear: 1 query judged</strong>"));
}

TEST(RenderPage, is_not_green_while_something_is_unknown) {
  Report report = QuietReport();
  report.clusters[0].up = false;
  EXPECT_THAT(Render(report), HasSubstr("<section class=\"banner unknown\"><strong>1 unknown"));
}

TEST(RenderPage, says_when_memory_does_not_reach_the_disk) {
  Report report = QuietReport();
  EXPECT_THAT(Render(report), Not(HasSubstr("a restart forgets")));
  report.state_persistent = false;
  EXPECT_THAT(Render(report), HasSubstr("a restart forgets"));
}

TEST(RenderPage, says_so_before_the_first_poll) {
  EXPECT_THAT(RenderPage(nullptr, SampleSelf(), kNow), HasSubstr("Nothing judged yet"));
}

TEST(RenderPage, shows_what_happened_of_late) {
  Report report = QuietReport();
  EXPECT_THAT(Render(report), Not(HasSubstr("What happened")));
  report.history.assign(21, {.at = kPolledAt, .key = {.kind = "k", .query = "<q>"}, .text = "<t>"});
  const std::string page = Render(report);
  EXPECT_THAT(page, HasSubstr("query &lt;q&gt;</span></td><td class=\"wide\">&lt;t&gt;</td>"));
  EXPECT_THAT(page, HasSubstr("tidegauge history QUERY"));
  report.history.pop_back();
  EXPECT_THAT(Render(report), Not(HasSubstr("tidegauge history QUERY"))) << "that is all";
}

TEST(RenderPage, shows_logs_where_any_is_watched) {
  Report report = QuietReport();
  EXPECT_THAT(Render(report), Not(HasSubstr("Logs of sinks")));
  report.queries[0].logs = {
      {.log = "sink", .up = true, .newest_batch = 5, .missing = 2, .batches_left = 4},
      {.log = "source 1"}};
  const std::string page = Render(report);
  EXPECT_THAT(page, HasSubstr("<td>sink</td><td class=\"critical\"><span class=\"tag\">fails in 4 "
                              "batches</span></td>"));
  EXPECT_THAT(page, HasSubstr("<td>source 1</td><td class=\"unknown\"><span class=\"tag\">not "
                              "read</span></td>"));
}

TEST(RenderPage, shows_what_the_scan_of_data_files_found) {
  Report report = QuietReport();
  EXPECT_THAT(Render(report), Not(HasSubstr("Data files of sinks")));
  report.queries[0].data_files = {.progress = 0.4567,
                                  .ended_at = kPolledAt - std::chrono::minutes(20),
                                  .listed = 1234,
                                  .listed_bytes = 5,
                                  .missing = 7,
                                  .truncated = 6,
                                  .outside_root = 3,
                                  .orphans = 2};
  EXPECT_THAT(
      Render(report),
      HasSubstr(
          "<td class=\"name\">logs</td><td class=\"critical\"><span class=\"tag\">files "
          "lost</span></td><td>20 min 12 s ago <span class=\"soft nowrap\">now at 45 %</span></td>"
          "<td class=\"number wide\">1,234</td><td class=\"number\">7</td>"
          "<td class=\"number\">6</td><td class=\"number wide\">3</td>"
          "<td class=\"number wide\">2</td>"));
}

TEST(RenderPage, does_not_take_a_first_scan_that_runs_for_good_news) {
  Report report = QuietReport();
  report.queries[0].data_files = {.progress = 0.999};
  const std::string unknown = R"("><span class="soft">unknown</span></td>)";
  const std::string cell = "<td class=\"number" + unknown;
  const std::string wide = "<td class=\"number wide" + unknown;
  EXPECT_THAT(Render(report),
              HasSubstr("<td class=\"unknown\"><span class=\"tag\">unknown</span></td><td>none yet "
                        "<span class=\"soft nowrap\">now at 99 %</span></td>" +
                        wide + cell + cell + wide + wide));
}

TEST(RenderPage, names_the_worst_of_what_a_scan_found) {
  Report report = QuietReport();
  DataFilesReport& files =
      report.queries[0].data_files.emplace(DataFilesReport{.progress = 1,
                                                           .ended_at = kPolledAt,
                                                           .listed = 9,
                                                           .listed_bytes = 9,
                                                           .missing = 0,
                                                           .truncated = 0,
                                                           .outside_root = 0,
                                                           .orphans = 0});
  const auto state = [&](std::string_view tone, std::string_view text) {
    return HasSubstr(fmt::format(
        R"(<td class="{}"><span class="tag">{}</span></td><td>12 s ago</td>)", tone, text));
  };
  EXPECT_THAT(Render(report), state("good", "ok"));
  files.orphans = 1;
  EXPECT_THAT(Render(report), state("warning", "files not listed"));
  files.outside_root = 1;
  EXPECT_THAT(Render(report), state("critical", "files elsewhere"));
  files.truncated = 1;
  EXPECT_THAT(Render(report), state("critical", "files lost"));
}

TEST(RenderPage, says_what_is_missing_and_how_many_batches_are_left) {
  Report report = SampleReport();
  report.findings[0].finding.batches_left = 4;
  report.findings[0].finding.key.log = "sink";
  EXPECT_THAT(Render(report), HasSubstr("log of sink"));
  EXPECT_THAT(Render(report), HasSubstr("<dt>Batches left</dt> <dd>4</dd>"));
}

TEST(RenderPage, escapes_every_name_and_message) {
  const std::string evil = "<script>\"'&";
  Report report = SampleReport();
  report.unknown = {evil};
  for (ClusterReport& cluster : report.clusters) {
    cluster.kafka_cluster = cluster.cluster_id = cluster.error = evil;
  }
  for (QueryReport& query : report.queries) {
    query.query = query.kafka_cluster = evil;
    query.unknown = {evil};
  }
  for (FindingReport& found : report.findings) {
    found.finding.key = {evil, evil, evil, evil, evil};
    found.finding.summary = evil;
  }
  SelfReport self = SampleSelf();
  self.version = evil;
  const std::string page = RenderPage(&report, self, kNow);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\"'&")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;&quot;&#39;&amp;"));
}

TEST(RenderPage, needs_nothing_from_elsewhere) {
  const std::string page = Render(SampleReport());
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("http://")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
}

}  // namespace
}  // namespace tidegauge
