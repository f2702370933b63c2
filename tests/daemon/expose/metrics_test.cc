#include "daemon/expose/metrics.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/expose/golden.h"
#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Render(const Report& report, const MetricsOptions& options = {}) {
  return RenderMetrics(&report, SampleSelf(), options, MetricFormat::kText);
}

std::set<std::string> FamiliesOf(const std::string& page) {
  std::set<std::string> families;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) families.insert(line.substr(7, line.find(' ', 7) - 7));
  }
  return families;
}

std::size_t SeriesOf(const std::string& page) {
  std::istringstream lines(page);
  std::size_t series = 0;
  for (std::string line; std::getline(lines, line);) series += line.starts_with('#') ? 0 : 1;
  return series;
}

TEST(RenderMetrics, text_is_as_agreed) {
  const std::string page = Render(SampleReport());
  EXPECT_EQ(page, Golden("metrics.prom", page));
}

TEST(RenderMetrics, open_metrics_is_as_agreed) {
  const Report report = SampleReport();
  const std::string page = RenderMetrics(&report, SampleSelf(), {}, MetricFormat::kOpenMetrics);
  EXPECT_EQ(page, Golden("metrics.openmetrics", page));
}

TEST(RenderMetrics, speaks_of_the_process_alone_before_the_first_poll) {
  const std::string page = RenderMetrics(nullptr, SampleSelf(), {}, MetricFormat::kText);
  EXPECT_EQ(
      FamiliesOf(page),
      (std::set<std::string>{
          "tidegauge_build_info", "tidegauge_ready", "tidegauge_config_last_reload_successful",
          "tidegauge_config_last_reload_success_timestamp_seconds",
          "tidegauge_poll_overdue_seconds", "tidegauge_shards", "process_cpu_seconds_total",
          "process_resident_memory_bytes", "process_open_fds", "process_start_time_seconds"}));
  EXPECT_THAT(page, HasSubstr("\ntidegauge_ready 0\n"));
}

TEST(RenderMetrics, each_family_is_contiguous_and_each_series_unique) {
  std::istringstream lines(Render(SampleReport()));
  std::set<std::string> types;
  std::set<std::string> series;
  std::string family;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# HELP ")) continue;
    if (line.starts_with("# TYPE ")) {
      family = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(types.insert(family).second) << line;
      continue;
    }
    EXPECT_EQ(line.substr(0, line.find_first_of("{ ")), family);
    EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << line;
  }
}

TEST(RenderMetrics, what_is_unknown_has_no_series) {
  Report report = SampleReport();
  report.queries = {{.query = "q",
                     .kafka_cluster = "main",
                     .checkpoint_up = true,
                     .topics = {{.topic = "t", .partitions = {{.partition = 0, .position = 5}}}}}};
  const std::string page = Render(report);
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_lag_records")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_ahead_records")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_expired_records")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_log_")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_topic_present")));
  EXPECT_THAT(page, HasSubstr("tidegauge_unknown_partitions{query=\"q\",kafka_cluster=\"main\","
                              "topic=\"t\"} 1\n"));
}

TEST(RenderMetrics, a_query_without_kafka_has_positions_and_no_unknown_partitions) {
  Report report = QuietReport();
  report.queries = {{.query = "q",
                     .checkpoint_up = true,
                     .topics = {{.topic = "t", .partitions = {{.partition = 0, .position = 5}}}}}};
  const std::string page = Render(report);
  EXPECT_THAT(page,
              HasSubstr("tidegauge_position_offset{query=\"q\",topic=\"t\",partition=\"0\"} 5\n"));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_unknown_partitions")));
}

TEST(RenderMetrics, a_missing_topic_is_told_from_an_unknown_one) {
  Report report = SampleReport();
  report.queries[2].topics[0].presence = TopicPresence::kMissing;
  EXPECT_THAT(Render(report), HasSubstr("tidegauge_topic_present{query=\"orders\","
                                        "kafka_cluster=\"main\",topic=\"orders\"} 0\n"));
}

TEST(RenderMetrics, sources_that_read_one_topic_differently_are_told_apart) {
  Report report = QuietReport();
  TopicReport topic = report.queries[0].topics[0];
  topic.source = "1";
  report.queries[0].topics.push_back(topic);
  EXPECT_THAT(Render(report), HasSubstr("topic=\"logs\",source=\"1\",partition=\"0\"}"));
}

TEST(RenderMetrics, a_log_that_is_not_watched_has_no_series) {
  EXPECT_THAT(Render(SampleReport()), Not(HasSubstr("tidegauge_sink_log_")));
}

TEST(RenderMetrics, a_log_shows_what_is_known_of_it) {
  Report report = QuietReport();
  report.queries[0].logs = {SinkLogReport()};
  const std::string page = Render(report);
  for (const char* line :
       {"up{query=\"logs\",log=\"sink\"} 1", "newest_batch{query=\"logs\",log=\"sink\"} 8",
        "compact_interval{query=\"logs\",log=\"sink\"} 10",
        "missing_files{query=\"logs\",log=\"sink\"} 2",
        "batches_left{query=\"logs\",log=\"sink\"} 1",
        "failure_expected_timestamp_seconds{query=\"logs\",log=\"sink\"} 1796000000",
        "compact_bytes{query=\"logs\",log=\"sink\"} 5000",
        "compact_growth_bytes{query=\"logs\",log=\"sink\"} -7",
        "compact_written_timestamp_seconds{query=\"logs\",log=\"sink\"} 1796000100",
        "compaction_seconds{query=\"logs\",log=\"sink\"} 1.5"}) {
    EXPECT_THAT(page, HasSubstr(std::string("\ntidegauge_sink_log_") + line + "\n"));
  }
}

TEST(RenderMetrics, a_log_that_was_not_read_has_nothing_but_that) {
  Report report = QuietReport();
  report.queries[0].logs = {{.log = "sink"}};
  const std::string page = Render(report);
  EXPECT_THAT(page, HasSubstr("tidegauge_sink_log_up{query=\"logs\",log=\"sink\"} 0\n"));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_sink_log_newest_batch")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_sink_log_missing_files")));
}

TEST(RenderMetrics, shows_how_far_a_scan_of_data_files_is_and_what_the_last_one_found) {
  Report report = QuietReport();
  EXPECT_THAT(Render(report), Not(HasSubstr("tidegauge_sink_scan")));
  report.queries[0].data_files = DataFilesReport{.progress = 0.25};
  std::string page = Render(report);
  EXPECT_THAT(page, HasSubstr("tidegauge_sink_scan_progress_ratio{query=\"logs\"} 0.250\n"));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_sink_scan_last_end_timestamp_seconds")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_sink_wrong_data_files")));
  report.queries[0].data_files = EndedScanReport();
  page = Render(report);
  for (const char* line :
       {"scan_progress_ratio{query=\"logs\"} 1.000",
        "scan_last_end_timestamp_seconds{query=\"logs\"} 3600", "data_files{query=\"logs\"} 12",
        "data_bytes{query=\"logs\"} 3400", "wrong_data_files{query=\"logs\",state=\"missing\"} 1",
        "wrong_data_files{query=\"logs\",state=\"truncated\"} 0",
        "wrong_data_files{query=\"logs\",state=\"orphan\"} 5"}) {
    EXPECT_THAT(page, HasSubstr(std::string("\ntidegauge_sink_") + line + "\n"));
  }
}

TEST(RenderMetrics, sums_by_topic) {
  const std::string page = Render(SampleReport(), {.granularity = LagGranularity::kTopic});
  EXPECT_THAT(page, Not(HasSubstr("partition=")));
  EXPECT_THAT(page, HasSubstr("tidegauge_lag_records{query=\"orders\",kafka_cluster=\"main\","
                              "topic=\"orders\"} 300\n"));
  EXPECT_THAT(page, HasSubstr("tidegauge_ahead_records{query=\"orders\",kafka_cluster=\"main\","
                              "topic=\"orders\"} 50\n"));
  EXPECT_THAT(page, HasSubstr("tidegauge_series_dropped 0\n"));
}

TEST(RenderMetrics, sums_by_query) {
  const std::string page = Render(SampleReport(), {.granularity = LagGranularity::kQuery});
  EXPECT_THAT(page,
              HasSubstr("tidegauge_lag_records{query=\"orders\",kafka_cluster=\"main\"} 300\n"));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_lag_records{query=\"clicks\"")));
}

TEST(RenderMetrics, keeps_within_the_series_limit_by_showing_less_detail) {
  const std::size_t full = SeriesOf(Render(SampleReport()));
  const std::string all = Render(SampleReport(), {.series_limit = full});
  EXPECT_THAT(all, HasSubstr("partition=\"0\""));
  EXPECT_THAT(all, HasSubstr("tidegauge_series_dropped 0\n"));

  const std::string coarser = Render(SampleReport(), {.series_limit = full - 1});
  EXPECT_THAT(coarser, Not(HasSubstr("partition=")));
  EXPECT_THAT(coarser, HasSubstr("tidegauge_lag_records{query=\"orders\",kafka_cluster=\"main\","
                                 "topic=\"orders\"} 300\n"));
  const std::size_t dropped = full - SeriesOf(coarser);
  EXPECT_THAT(coarser, HasSubstr("tidegauge_series_dropped " + std::to_string(dropped) + "\n"));
}

TEST(RenderMetrics, never_drops_a_finding) {
  const std::string page = Render(SampleReport(), {.series_limit = 1});
  EXPECT_THAT(page, HasSubstr("tidegauge_finding{kind=\"topic_recreated\""));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_lag_records")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_series_dropped 0\n")));
}

TEST(RenderMetrics, forgets_what_is_no_longer_in_the_report) {
  const std::string page = Render(QuietReport());
  EXPECT_THAT(page, Not(HasSubstr("orders")));
  EXPECT_THAT(page, Not(HasSubstr("tidegauge_finding{")));
}

TEST(RenderMetrics, counts_how_often_a_finding_came_back) {
  Report report = SampleReport();
  report.findings[1].flaps = 2;
  EXPECT_THAT(Render(report), HasSubstr("\ntidegauge_finding_flaps{kind=\"topic_recreated\","));
}

}  // namespace
}  // namespace tidegauge
