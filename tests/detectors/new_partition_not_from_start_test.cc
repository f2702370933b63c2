#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using namespace std::chrono_literals;

class NewPartitionNotFromStart : public JudgeOne {
 protected:
  NewPartitionNotFromStart() : JudgeOne("new_partition_not_from_start") {}
};

TEST_F(NewPartitionNotFromStart, IsQuietWhileItStartsAtZero) {
  Add(0, 500, 100, 800);
  Add(1, {}, 0, 30);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(NewPartitionNotFromStart, OneRecordGoneIsEnough) {
  Add(0, 500, 100, 800);
  Add(1, {}, 1, 30);
  EXPECT_EQ(Found().records, 1);
  EXPECT_EQ(Found().partitions.size(), 1u);
  EXPECT_EQ(Found().partitions[0].partition, 1);
}

TEST_F(NewPartitionNotFromStart, APartitionThatLaterBatchesCameWithoutIsNotRead) {
  Add(1, {}, 20, 30).passed_by = true;
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(NewPartitionNotFromStart, ALogStartThatWasNotAnsweredIsUnknown) {
  Add(1, {}, {}, 30);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(NewPartitionNotFromStart, FiresAfterAMinute_StaysWhileUnknown_AndEndsWhenItIsPassedBy) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.AddPartitions("t", 1);
  story_.kafka.Produce("t", 1, 9);
  story_.kafka.Expire("t", 1, 4);
  story_.Poll();
  EXPECT_FALSE(Fires(story_.Poll(59s)));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll(1s)));
  story_.kafka.HidePartition("t", 1);
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.ShowAll();
  story_.query().Batch({{"t", {{0, 500}}}});
  EXPECT_TRUE(Fires(story_.Poll())) << "this batch may have been planned before the partition came";
  story_.query().Batch({{"t", {{0, 500}}}});
  EXPECT_FALSE(Fires(story_.Poll()));
}

TEST_F(NewPartitionNotFromStart, EndsWhenTheQueryHasReadIt) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.AddPartitions("t", 1);
  story_.kafka.Produce("t", 1, 9);
  story_.kafka.Expire("t", 1, 4);
  story_.Poll();
  EXPECT_TRUE(Fires(story_.Poll(1min)));
  story_.query().Batch({{"t", {{0, 500}, {1, 9}}}});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
