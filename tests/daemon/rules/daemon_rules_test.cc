#include "daemon/rules/daemon_rules.h"

#include <gmock/gmock.h>

namespace tidegauge {
namespace {

using testing::HasSubstr;

TEST(DaemonRules, look_for_the_job_that_was_named) {
  const RuleGroup group = DaemonRules("ops \"1\"");
  ASSERT_GE(group.alerts.size(), 2U);
  EXPECT_EQ(group.alerts[0].expr, R"(up{job="ops \"1\""} == 0)");
  EXPECT_EQ(group.alerts[1].expr, R"(absent(up{job="ops \"1\""}) == 1)");
}

TEST(DaemonRules, wait_before_they_fire_but_for_the_watchdog) {
  for (const AlertRule& alert : DaemonRules("tidegauge").alerts) {
    EXPECT_EQ(alert.hold == Duration{}, alert.alert == "TidegaugeWatchdog") << alert.alert;
    EXPECT_FALSE(alert.severity.empty()) << alert.alert;
  }
}

TEST(DaemonRules, lead_to_their_heading) {
  for (const AlertRule& alert : DaemonRules("tidegauge").alerts) {
    EXPECT_THAT(alert.runbook, HasSubstr("alerts.md#tidegauge"));
  }
}

}  // namespace
}  // namespace tidegauge
