#include "daemon/rules/finding_rules.h"

#include <map>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "core/detectors/all.h"
#include "daemon/expose/alerts.h"

namespace tidegauge {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<AlertRule> AlertsOf(std::string_view kind) {
  std::vector<AlertRule> alerts;
  for (AlertRule& alert : FindingRules(AllDetectors()).alerts) {
    if (alert.alert == AlertName(kind)) alerts.push_back(std::move(alert));
  }
  return alerts;
}

TEST(FindingRules, has_each_kind_with_its_sentence_and_its_page) {
  for (const DetectorPtr& detector : AllDetectors()) {
    const std::string id(detector->info().id);
    const auto alerts = AlertsOf(id);
    ASSERT_FALSE(alerts.empty()) << id;
    EXPECT_THAT(alerts[0].expr, HasSubstr(fmt::format("{{kind=\"{}\"}} == 1", id)));
    EXPECT_EQ(alerts[0].summary, detector->info().summary);
    EXPECT_EQ(alerts[0].runbook, fmt::format("detectors/{}.md", id));
  }
}

TEST(FindingRules, leave_severity_and_waiting_to_the_daemon) {
  for (const AlertRule& alert : AlertsOf("end_below_checkpoint")) {
    EXPECT_EQ(alert.severity, "");
    EXPECT_EQ(alert.hold, Duration{});
  }
}

TEST(FindingRules, have_one_alert_for_each_kind_but_those_with_a_horizon) {
  std::map<std::string, int> count;
  for (const AlertRule& alert : FindingRules(AllDetectors()).alerts) ++count[alert.alert];
  for (const Horizon& horizon : Horizons()) {
    EXPECT_EQ(count[AlertName(horizon.kind)], 2) << horizon.kind;
    count.erase(AlertName(horizon.kind));
  }
  for (const auto& [name, times] : count) EXPECT_EQ(times, 1) << name;
}

TEST(FindingRules, a_warning_becomes_critical_and_a_critical_one_waits) {
  const auto retention = AlertsOf("retention_headroom_low");
  ASSERT_EQ(retention.size(), 2U);
  EXPECT_EQ(retention[0].severity, "");
  EXPECT_EQ(retention[1].severity, "critical");
  EXPECT_THAT(retention[1].expr, HasSubstr("- time() < 3600"));

  const auto compaction = AlertsOf("compaction_will_fail");
  ASSERT_EQ(compaction.size(), 2U);
  EXPECT_EQ(compaction[0].severity, "");
  EXPECT_EQ(compaction[1].severity, "warning");
  EXPECT_THAT(compaction[1].expr, HasSubstr("- time() >= 21600"));
}

TEST(FindingRules, tell_what_to_do_first) {
  EXPECT_THAT(AlertsOf("checkpoint_shared")[0].description,
              HasSubstr("Find the second driver and stop it."));
}

}  // namespace
}  // namespace tidegauge
