#include "daemon/expose/report_json.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/expose/golden.h"
#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ReportJson, is_as_agreed) {
  const std::string json = ReportJson(SampleReport());
  EXPECT_EQ(json, Golden("report.json", json));
}

TEST(ReportJson, has_its_four_parts_when_there_is_nothing) {
  EXPECT_EQ(ReportJson(Report{.polled_at = kPolledAt}),
            "{\"polled_at\":\"2026-11-30T04:00:00Z\",\"queries\":[],\"findings\":[],"
            "\"unknown\":[]}\n");
}

TEST(ReportJson, keeps_every_bit_of_an_offset) {
  Report report = QuietReport();
  report.queries[0].topics[0].partitions[0].position = std::numeric_limits<Offset>::max();
  EXPECT_THAT(ReportJson(report), HasSubstr("{\"logs\":{\"0\":9223372036854775807}}"));
}

TEST(ReportJson, says_that_a_count_is_a_bound) {
  Report report = SampleReport();
  report.findings[1].finding.records_bound = Bound::kAtMost;
  EXPECT_THAT(ReportJson(report), HasSubstr("\"records\":500,\"records_bound\":\"at_most\""));
}

TEST(ReportJson, leaves_out_what_is_unknown) {
  Report report = SampleReport();
  report.findings[1].finding.records.reset();
  const std::string json = FindingsJson(report);
  EXPECT_THAT(json, Not(HasSubstr("records_bound")));
  EXPECT_THAT(json, Not(HasSubstr("null")));
}

TEST(ReportJson, tells_two_sources_of_one_topic_apart) {
  Report report = QuietReport();
  TopicReport other{
      .topic = "logs", .source = "1", .partitions = {{.partition = 0, .position = 7}}};
  report.queries[0].topics.push_back(other);
  EXPECT_THAT(ReportJson(report), HasSubstr("\"logs#1\":{\"0\":7}"));
}

TEST(ReportJson, is_well_formed_whatever_a_directory_is_called) {
  Report report = QuietReport();
  report.queries[0].query = "a\"\\\n\xFF";
  EXPECT_THAT(ReportJson(report), HasSubstr(R"("query":"a\"\\\n\\xff")"));
}

TEST(ReportJson, says_which_compaction_fails_for_want_of_what) {
  Report report = QuietReport();
  report.findings = {
      {.finding = {.key = {.kind = "compaction_will_fail", .query = "logs", .log = "sink"},
                   .batch = 9,
                   .batches_left = 4,
                   .missing = {"0", "1"}}}};
  const std::string json = FindingsJson(report);
  EXPECT_THAT(json, HasSubstr(R"("query":"logs","log":"sink")"));
  EXPECT_THAT(json,
              HasSubstr(R"("batch":9,"missing":["0","1"],"batches_left":4,"expected_at":null)"));
  report.findings[0].finding.expected_at = kPolledAt;
  EXPECT_THAT(FindingsJson(report), HasSubstr(R"("expected_at":"2026-)"));
}

TEST(QueriesJson, shows_the_logs_that_are_watched) {
  Report report = QuietReport();
  EXPECT_THAT(QueriesJson(report), Not(HasSubstr("\"logs\":[")));
  report.queries[0].logs = {{.log = "sink", .up = true, .newest_batch = 8, .missing = 0},
                            {.log = "source 1"}};
  EXPECT_THAT(
      QueriesJson(report),
      HasSubstr(R"("logs":[{"log":"sink","newest_batch":8,"missing":0},{"log":"source 1"}])"));
}

TEST(QueriesJson, shows_a_scan_of_data_files) {
  Report report = QuietReport();
  EXPECT_THAT(QueriesJson(report), Not(HasSubstr("\"data_files\"")));
  report.queries[0].data_files =
      DataFilesReport{.progress = 0.5, .ended_at = kPolledAt, .listed = 7, .missing = 1};
  EXPECT_THAT(QueriesJson(report),
              HasSubstr(R"("data_files":{"progress":5E-1,"scan_ended_at":"2026)"));
  EXPECT_THAT(QueriesJson(report), HasSubstr(R"("listed":7,"missing":1})"));
}

TEST(QueriesJson, leaves_out_findings) {
  const std::string json = QueriesJson(SampleReport());
  EXPECT_THAT(json, HasSubstr("\"queries\":[{"));
  EXPECT_THAT(json, HasSubstr("\"unknown\":[{"));
  EXPECT_THAT(json, Not(HasSubstr("\"findings\":[")));
}

TEST(FindingsJson, leaves_out_queries) {
  const std::string json = FindingsJson(SampleReport());
  EXPECT_THAT(json, HasSubstr("\"findings\":[{"));
  EXPECT_THAT(json, Not(HasSubstr("\"queries\":")));
}

TEST(HistoryJson, is_as_agreed) {
  EXPECT_EQ(HistoryJson(SampleReport().history),
            "{\"history\":["
            "{\"at\":\"2026-11-30T03:59:00Z\",\"event\":\"firing\",\"kind\":\"topic_recreated\","
            "\"severity\":\"critical\",\"query\":\"orders\",\"kafka_cluster\":\"main\","
            "\"topic\":\"orders\",\"text\":\"Topic orders was recreated.\"},"
            "{\"at\":\"2026-11-30T02:00:00Z\",\"event\":\"acknowledged\","
            "\"kind\":\"records_skipped\",\"query\":\"orders\",\"kafka_cluster\":\"main\","
            "\"topic\":\"orders\",\"text\":\"by ann: replayed <all>\"},"
            "{\"at\":\"2026-11-30T01:00:00Z\",\"event\":\"resolved\",\"kind\":\"query_stalled\","
            "\"severity\":\"warning\",\"query\":\"gone\","
            "\"firing_since\":\"2026-11-29T23:00:00Z\"}]}\n");
}

TEST(ReportJson, says_that_a_finding_flaps) {
  Report report = SampleReport();
  report.findings[1].flaps = 2;
  report.findings[1].gone_since = kPolledAt;
  EXPECT_THAT(FindingsJson(report),
              HasSubstr("\"flaps\":2,\"gone_since\":\"2026-11-30T04:00:00Z\""));
}

}  // namespace
}  // namespace tidegauge
