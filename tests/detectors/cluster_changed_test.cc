#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ClusterChanged : public JudgeOne {
 protected:
  ClusterChanged() : JudgeOne("cluster_changed") {}
};

TEST_F(ClusterChanged, IsQuietWhileTheClusterIsTheSame) { EXPECT_THAT(Check(), IsEmpty()); }

TEST_F(ClusterChanged, AnotherIdIsEnough_AndBothAreNamed) {
  view_.cluster_id = "lab-2";
  EXPECT_THAT(Found().summary, HasSubstr("lab-1"));
  EXPECT_THAT(Found().summary, HasSubstr("lab-2"));
  EXPECT_EQ(Found().key.topic, "") << "it concerns the whole query";
}

TEST_F(ClusterChanged, AnUnknownIdIsNeitherEqualNorDifferent) {
  view_.cluster_id = "";
  EXPECT_THAT(Check(), IsEmpty());
  view_.cluster_id = "lab-2";
  view_.remembered_cluster_id = "";
  EXPECT_THAT(Check(), IsEmpty()) << "first sight";
}

TEST_F(ClusterChanged, StaysWhileTheClusterIsSilentOrGivesNoId_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.SetClusterId("lab-2");
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Down();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Up();
  story_.kafka.SetClusterId("");
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.SetClusterId("lab-1");
  EXPECT_FALSE(Fires(story_.Poll())) << "it is the old one again";
}

}  // namespace
}  // namespace tidegauge::testing
