#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class RecordsExpired : public JudgeOne {
 protected:
  RecordsExpired() : JudgeOne("records_expired") {}
};

TEST_F(RecordsExpired, IsQuietBelowAndAtThePosition) {
  Add(0, 500, 499, 800);
  Add(1, 500, 500, 800);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(RecordsExpired, OneOffsetBeyondThePositionIsALoss) {
  Add(0, 500, 501, 800);
  Add(1, 500, 500, 800);
  EXPECT_EQ(Found().records, 1);
  EXPECT_EQ(Found().records_bound, Bound::kAtMost);
  EXPECT_THAT(Found().partitions, SizeIs(1));
}

TEST_F(RecordsExpired, AddsUpOverPartitions) {
  Add(0, 500, 700, 1000);
  Add(1, 100, 150, 1000);
  EXPECT_EQ(Found().records, 250);
}

TEST_F(RecordsExpired, TheBatchInFlightIsNamed) {
  topic().in_flight_batch = 12;
  Add(0, 10, 15, 20).in_flight_end = 20;
  EXPECT_EQ(Found().batch, 12);
}

TEST_F(RecordsExpired, ALogStartThatWasNotAnsweredIsNotZeroAndNotALoss) {
  Add(0, 500, {}, 800);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(RecordsExpired, OffsetsOfAnEarlierTopicCannotExpireInThisOne) {
  topic().belongs = Belongs::kEarlier;
  Add(0, 500, 700, 800);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(RecordsExpired, StaysWhileUnknown_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 800}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.Expire("t", 0, 700);
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.HidePartition("t", 0);
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.ShowAll();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.query().Batch({{"t", {{0, 800}}}});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
