#include "daemon/expose/alerts.h"

#include <gmock/gmock.h>

#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const AlertTraits kTraits{.external_labels = {{"severity", "none"}, {"site", "north"}},
                          .external_url = "http://ops1:10977/",
                          .runbook_base = "https://docs"};

TEST(AlertName, IsTheKindInCamelCase) {
  EXPECT_EQ(AlertName("topic_recreated"), "TidegaugeTopicRecreated");
}

TEST(AlertOf, HasTheLabelsOfTheSeries_AndTheSitesBesideThem) {
  const FindingReport finding = SampleReport().findings.at(1);
  const Alert alert = AlertOf(finding, kTraits);
  EXPECT_THAT(
      alert.labels,
      ElementsAre(Pair("alertname", "TidegaugeTopicRecreated"), Pair("kafka_cluster", "main"),
                  Pair("kind", "topic_recreated"), Pair("query", "orders"),
                  Pair("severity", "critical"), Pair("site", "north"), Pair("topic", "orders")));
  EXPECT_EQ(alert.starts_at, finding.pending_since);
  EXPECT_EQ(alert.annotations.at("summary"), finding.finding.summary);
  EXPECT_EQ(alert.annotations.at("runbook_url"), "https://docs/detectors/topic_recreated.md");
  EXPECT_THAT(alert.annotations.at("description"), HasSubstr("tidegauge plan orders"));
}

TEST(AlertsJson, IsWhatTheApiWants) {
  const Alert alert{.labels = {{"alertname", "A"}, {"query", "q\xff\""}},
                    .annotations = {{"summary", "s"}},
                    .generator_url = "http://g",
                    .starts_at = kPolledAt};
  EXPECT_EQ(AlertsJson({{alert, kPolledAt + std::chrono::milliseconds(240'001)}}),
            "[{\"labels\":{\"alertname\":\"A\",\"query\":\"q\\\\xff\\\"\"},"
            "\"annotations\":{\"summary\":\"s\"},"
            "\"startsAt\":\"2026-11-30T04:00:00Z\",\"endsAt\":\"2026-11-30T04:04:00.001Z\","
            "\"generatorURL\":\"http://g\"}]");
  EXPECT_EQ(AlertsJson({}), "[]");
}

}  // namespace
}  // namespace tidegauge
