#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class EndBelowCheckpoint : public JudgeOne {
 protected:
  EndBelowCheckpoint() : JudgeOne("end_below_checkpoint") {}
};

TEST_F(EndBelowCheckpoint, IsQuietWhileTheLogReachesThePosition) {
  Add(0, 500, 0, 800);
  Add(1, 500, 0, 500);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(EndBelowCheckpoint, OneRecordShortIsEnough) {
  Add(0, 500, 0, 499);
  Add(1, 500, 0, 500);
  EXPECT_EQ(Found().records, 1);
  EXPECT_THAT(Found().partitions, SizeIs(1));
}

TEST_F(EndBelowCheckpoint, IsNotSaidOfARecreatedTopic) {
  topic().belongs = Belongs::kEarlier;
  Add(0, 500, 0, 499);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(EndBelowCheckpoint, AnEndThatWasNotAnsweredIsNotZero) {
  Add(0, 500, 0, {});
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(EndBelowCheckpoint, HoldsForAMinute_StaysWhileTheEndIsUnknown_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.Truncate("t", 0, 400);
  EXPECT_FALSE(Fires(story_.Poll()));
  EXPECT_FALSE(Fires(story_.Poll(59s)));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll(1s))) << "the time before the restart counts";
  story_.kafka.HidePartition("t", 0);
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.ShowAll();
  story_.kafka.Produce("t", 0, 100);
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
