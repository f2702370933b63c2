#include "daemon/expose/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/expose/golden.h"
#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ReportText, is_as_agreed) {
  const std::string text = ReportText(SampleReport(), false);
  EXPECT_EQ(text, Golden("report.txt", text));
}

TEST(ReportText, gives_the_all_clear_only_with_what_it_rests_on) {
  EXPECT_EQ(ReportText(QuietReport(), false),
            "All clear: 1 query judged. Polled 2026-11-30 04:00:00 UTC.\n\n"
            "Topics of all judged queries are remembered since 2026-11-30 03:00:00 UTC.\n");
}

TEST(ReportText, says_that_first_sight_knows_little) {
  Report report = QuietReport();
  report.first_sight = true;
  EXPECT_THAT(ReportText(report, false), HasSubstr("First sight: nothing was remembered"));
}

TEST(ReportText, says_when_a_query_is_not_remembered) {
  Report report = QuietReport();
  report.queries[0].baseline_at.reset();
  EXPECT_THAT(ReportText(report, false), HasSubstr("Not every query's topics are remembered"));
}

TEST(ReportText, says_when_memory_does_not_reach_the_disk) {
  Report report = QuietReport();
  report.state_persistent = false;
  EXPECT_THAT(ReportText(report, false), HasSubstr("a restart forgets it"));
}

TEST(ReportText, says_when_nothing_is_to_be_kept) {
  Report report = QuietReport();
  report.state_kept = false;
  report.state_persistent = false;
  EXPECT_THAT(ReportText(report, false),
              AllOf(HasSubstr("Nothing is kept"), Not(HasSubstr("a restart forgets it"))));
}

TEST(ReportText, gives_no_all_clear_when_nothing_was_judged) {
  EXPECT_THAT(ReportText(Report{}, false), HasSubstr("Nothing judged: there is no query."));
}

TEST(ReportText, says_that_a_finding_flaps) {
  Report report = SampleReport();
  report.findings[1].flaps = 2;
  EXPECT_THAT(ReportText(report, false), HasSubstr("  It came back 2 times.\n"));
  report.findings[1].gone_since = kPolledAt;
  EXPECT_THAT(ReportText(report, false),
              HasSubstr("  It came back 2 times, and is gone since 2026-11-30 04:00:00 UTC.\n"));
}

TEST(ReportText, lists_ten_partitions_and_counts_the_rest) {
  Report report = SampleReport();
  report.findings[1].finding.partitions.assign(12, FindingPartition{.checkpoint = 5});
  EXPECT_THAT(ReportText(report, false), HasSubstr("  and 2 partitions more\n"));
}

TEST(ReportText, colours_only_when_asked) {
  EXPECT_THAT(ReportText(SampleReport(), false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(ReportText(SampleReport(), true), HasSubstr("\x1b[1;31mCRITICAL\x1b[0m"));
}

TEST(ReportText, lets_no_name_speak_to_the_terminal) {
  Report report = SampleReport();
  report.findings[1].finding.key.topic = "a\x1b[2Jb";
  report.queries[0].unknown = {"x\x1b[2J"};
  const std::string text = ReportText(report, false);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("topic a\\x1b[2Jb"));
}

}  // namespace
}  // namespace tidegauge
