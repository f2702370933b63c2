#include "daemon/expose/next_step.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(NextStep, is_there_for_known_and_unknown_kinds) {
  EXPECT_TRUE(NextStep("topic_recreated").starts_with("Stop the query."));
  EXPECT_EQ(NextStep("of_the_future"), "Read the page of this kind in docs/detectors.");
}

}  // namespace
}  // namespace tidegauge
