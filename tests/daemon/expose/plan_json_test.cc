#include "daemon/expose/plan_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/expose/golden.h"

namespace tidegauge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Plan PlanWithFiles() {
  return {.query = "orders",
          .findings = {{.finding = {.key = {.kind = "topic_recreated",
                                            .query = "orders",
                                            .kafka_cluster = "main",
                                            .topic = "orders"},
                                    .summary = "The topic is another one."},
                        .remedies = {{.id = "correct_offsets",
                                      .title = "Read the new topic from its start",
                                      .cost = "Nothing is lost.",
                                      .steps = {{.what = "Put the corrected file in its place.",
                                                 .commands = {"cp \"${PLAN:?}/offsets/0\" /data"}},
                                                {.what = "Start the query.", .commands = {}}}}}}},
          .files = {{.name = "offsets/0", .content = "v1"}},
          .unknown = {"cluster main: no answer"}};
}

TEST(PlanJson, is_as_agreed) {
  const std::string text =
      PlanJson(PlanWithFiles(), "/var/tmp/plan orders", {"export PLAN='/var/tmp/plan orders'"});
  EXPECT_EQ(text, Golden("plan.json", text));
}

TEST(PlanJson, says_how_to_get_files_that_have_not_been_written) {
  EXPECT_THAT(PlanJson(PlanWithFiles(), "", {"export PLAN=/tmp/p", "tidegauge plan orders"}),
              AllOf(HasSubstr(R"("directory":null,)"),
                    HasSubstr(R"("set_up":["export PLAN=/tmp/p","tidegauge plan orders"],)")));
}

TEST(PlanJson, needs_no_setting_up_where_no_command_uses_files) {
  Plan plan = PlanWithFiles();
  plan.findings[0].remedies[0].steps[0].commands = {"ls /data"};
  EXPECT_THAT(PlanJson(plan, "/var/tmp/plan", {"export PLAN=/var/tmp/plan"}),
              HasSubstr(R"("set_up":[],)"));
}

}  // namespace
}  // namespace tidegauge
