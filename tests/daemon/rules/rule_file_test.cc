#include "daemon/rules/rule_file.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "config/read_text.h"
#include "core/detectors/all.h"

namespace tidegauge {
namespace {

void ExpectCommitted(const std::string& path, const RuleFileOptions& options) {
  const std::string file = std::string(TIDEGAUGE_SOURCE_DIR) + "/deploy/" + path;
  const std::string rules = RuleFile(AllDetectors(), options);
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file) << rules;
  EXPECT_EQ(ReadText(file, 1 << 20).value_or("no such file"), rules)
      << "run this test with UPDATE_GOLDEN=1";
}

TEST(RuleFile, the_committed_ones_are_current) {
  ExpectCommitted("prometheus/tidegauge.rules.yml", {});
  ExpectCommitted("kubernetes/shared/prometheus_rule.yaml", {.for_operator = true});
}

TEST(RuleFile, takes_job_and_base_of_the_pages) {
  const std::string rules =
      RuleFile(AllDetectors(), {.job = "watch", .runbook_base = "https://docs.example/tidegauge/"});
  EXPECT_THAT(rules, testing::HasSubstr(R"(up{job="watch"} == 0)"));
  EXPECT_THAT(rules,
              testing::HasSubstr(
                  R"(runbook_url: "https://docs.example/tidegauge/alerts.md#tidegaugedown")"));
}

}  // namespace
}  // namespace tidegauge
