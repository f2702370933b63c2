#include "daemon/rules/rule.h"

#include <gmock/gmock.h>

namespace tidegauge {
namespace {

using std::chrono::minutes;

TEST(RenderRules, writes_only_what_a_rule_has) {
  const std::vector<RuleGroup> groups{{.name = "g",
                                       .records = {{"a:b", "x\nor y"}},
                                       .alerts = {{.alert = "A",
                                                   .expr = "x == 1",
                                                   .summary = "It is.",
                                                   .description = "Look.",
                                                   .runbook = "a.md"}}}};
  EXPECT_EQ(RenderRules(groups, "http://docs"), R"(groups:
  - name: g
    rules:
      - record: a:b
        expr: |-
          x
          or y
      - alert: A
        expr: |-
          x == 1
        annotations:
          summary: "It is."
          description: "Look."
          runbook_url: "http://docs/a.md"
)");
}

TEST(RenderRules, writes_times_and_severity) {
  const AlertRule rule{.alert = "A",
                       .expr = "x == 1",
                       .hold = minutes(90),
                       .keep_firing = minutes(10),
                       .severity = "critical"};
  const std::string text = RenderRules({{.name = "g", .alerts = {rule}}}, "");
  EXPECT_THAT(text, testing::HasSubstr("        for: 90m\n"
                                       "        keep_firing_for: 10m\n"
                                       "        labels:\n"
                                       "          severity: critical\n"));
}

TEST(RenderRules, keeps_quotes_backslashes_and_lines_of_a_text) {
  const AlertRule rule{.alert = "A", .expr = "x == 1", .description = "say \"a\\b\"\nagain"};
  EXPECT_THAT(RenderRules({{.name = "g", .alerts = {rule}}}, ""),
              testing::HasSubstr(R"(description: "say \"a\\b\"\nagain")"));
}

TEST(QuotedForPromql, escapes) {
  EXPECT_EQ(QuotedForPromql("tidegauge"), "\"tidegauge\"");
  EXPECT_EQ(QuotedForPromql("a\"b\\c\nd"), R"("a\"b\\c\nd")");
}

}  // namespace
}  // namespace tidegauge
