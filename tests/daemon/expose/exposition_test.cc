#include "daemon/expose/exposition.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

using enum MetricType;
using namespace std::chrono_literals;

TEST(FormatLabels, escapes_backslash_quote_and_newline) {
  EXPECT_EQ(FormatLabels({{"topic", "a\\b\"c\nd"}}), R"({topic="a\\b\"c\nd"})");
}

TEST(FormatLabels, leaves_out_empty_values) {
  EXPECT_EQ(FormatLabels({{"query", "q"}, {"source", ""}, {"topic", "t"}}),
            R"({query="q",topic="t"})");
  EXPECT_EQ(FormatLabels({{"source", ""}}), "");
}

TEST(FormatLabels, shows_ill_formed_bytes_instead_of_losing_the_scrape) {
  EXPECT_EQ(FormatLabels({{"query", "caf\xC3\xA9\xFF"}}), "{query=\"caf\xC3\xA9\\\\xff\"}");
}

TEST(Exposition, writes_a_header_once_and_only_with_a_sample) {
  Exposition out(MetricFormat::kText);
  out.Begin({"empty", kGauge, "Nothing."});
  out.Add("", SampleSelf().process.max_fds);
  out.Begin({"full", kGauge, "Two."});
  out.Add("{a=\"1\"}", 1);
  out.Add("{a=\"2\"}", 2);
  EXPECT_EQ(out.series(), 2U);
  EXPECT_EQ(std::move(out).Finish(),
            "# HELP full Two.\n# TYPE full gauge\nfull{a=\"1\"} 1\nfull{a=\"2\"} 2\n");
}

TEST(Exposition, names_counters_and_infos_as_text_has_it) {
  Exposition out(MetricFormat::kText);
  out.Begin({"polls", kCounter, "Polls."});
  out.Add("", 5);
  out.Begin({"build", kInfo, "Version."});
  out.Add("{version=\"1\"}", 1);
  EXPECT_EQ(std::move(out).Finish(),
            "# HELP polls_total Polls.\n# TYPE polls_total counter\npolls_total 5\n"
            "# HELP build_info Version.\n# TYPE build_info gauge\nbuild_info{version=\"1\"} 1\n");
}

TEST(Exposition, names_counters_and_infos_as_open_metrics_has_it) {
  Exposition out(MetricFormat::kOpenMetrics);
  out.Begin({"polls", kCounter, "Polls."});
  out.Add("", 5);
  out.Begin({"build", kInfo, "Version."});
  out.Add("{version=\"1\"}", 1);
  EXPECT_EQ(std::move(out).Finish(),
            "# HELP polls Polls.\n# TYPE polls counter\npolls_total 5\n"
            "# HELP build Version.\n# TYPE build info\nbuild_info{version=\"1\"} 1\n# EOF\n");
}

std::string ValueOf(auto value) {
  Exposition out(MetricFormat::kText);
  out.Begin({"x", kGauge, "."});
  out.Add("", value);
  const std::string text = std::move(out).Finish();
  const std::size_t start = text.find("\nx ") + 3;
  return text.substr(start, text.size() - start - 1);
}

TEST(Exposition, keeps_every_bit_of_an_integer) {
  EXPECT_EQ(ValueOf(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(ValueOf(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(ValueOf(true), "1");
}

TEST(Exposition, writes_times_and_durations_in_seconds) {
  EXPECT_EQ(ValueOf(Time(1796011200000ms)), "1796011200");
  EXPECT_EQ(ValueOf(Duration(1234)), "1.234");
  EXPECT_EQ(ValueOf(Duration(1230)), "1.23");
  EXPECT_EQ(ValueOf(Duration(1200)), "1.2");
  EXPECT_EQ(ValueOf(Duration(7)), "0.007");
  EXPECT_EQ(ValueOf(Duration(-1500)), "-1.5");
  EXPECT_EQ(ValueOf(Duration::min()), "-9223372036854775.808");
}

TEST(Exposition, adds_a_partition_to_labels) {
  Exposition out(MetricFormat::kText);
  out.Begin({"x", kGauge, "."});
  out.AddPartition("{topic=\"t\"}", 7, 9);
  out.AddPartition("{topic=\"t\"}", 8, std::nullopt);
  EXPECT_EQ(std::move(out).Finish(),
            "# HELP x .\n# TYPE x gauge\nx{topic=\"t\",partition=\"7\"} 9\n");
}

TEST(Exposition, counts_without_writing) {
  Exposition out = Exposition::Counting();
  out.Begin({"x", kGauge, "."});
  out.Add("", 1);
  out.AddPartition("{topic=\"t\"}", 7, 9);
  EXPECT_EQ(out.series(), 2U);
  EXPECT_EQ(std::move(out).Finish(), "");
}

}  // namespace
}  // namespace tidegauge
