#include "daemon/expose/history_text.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

TEST(HistoryText, tells_when_what_happened_to_what) {
  EXPECT_EQ(HistoryText(SampleReport().history),
            "2026-11-30 03:59:00 UTC  firing        topic_recreated: query orders, topic orders, "
            "cluster main\n"
            "    Topic orders was recreated.\n"
            "2026-11-30 02:00:00 UTC  acknowledged  records_skipped: query orders, topic orders, "
            "cluster main\n"
            "    by ann: replayed <all>\n"
            "2026-11-30 01:00:00 UTC  resolved      query_stalled: query gone, after 2 h\n");
}

TEST(HistoryText, brings_no_escape_sequences_along) {
  const Event event{.at = kPolledAt, .key = {.kind = "k", .query = "q\x1b[2J"}, .text = "a\nb"};
  const std::string text = HistoryText({event});
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

}  // namespace
}  // namespace tidegauge
