#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class PartitionDropped : public JudgeOne {
 protected:
  PartitionDropped() : JudgeOne("partition_dropped") { checkpoint_->newest_batch = 9; }

  void Drop(BatchId batch, PartitionOffsets from) {
    checkpoint_->steps.push_back({.kind = BatchStep::Kind::kPartitionDropped,
                                  .batch = batch,
                                  .topic = "t",
                                  .from = std::move(from)});
  }
  void PositionIs(PartitionOffsets offsets) {
    checkpoint_->position = {{.topic = "t", .offsets = std::move(offsets)}};
  }
};

TEST_F(PartitionDropped, IsQuietWhileEveryBatchHasAll) {
  PositionIs({{0, 5}, {1, 5}});
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(PartitionDropped, NamesWhatIsGoneAndSinceWhen) {
  Drop(7, {{1, 5}});
  PositionIs({{0, 5}});
  EXPECT_EQ(Found().batch, 7);
  ASSERT_THAT(Found().partitions, SizeIs(1));
  EXPECT_EQ(Found().partitions[0].checkpoint, 5);
  EXPECT_EQ(Found().severity, Severity::kWarning);
}

TEST_F(PartitionDropped, WhatCameBackIsNotGone) {
  Drop(7, {{1, 5}});
  PositionIs({{0, 5}, {1, 8}});
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(PartitionDropped, WhatWasLostAtDifferentTimesIsOneFinding) {
  Drop(5, {{2, 7}});
  Drop(7, {{1, 5}});
  PositionIs({{0, 5}});
  EXPECT_THAT(Found().partitions, SizeIs(2));
  EXPECT_EQ(Found().batch, 7);
}

TEST_F(PartitionDropped, ABatchInFlightKeepsItsEndAsWritten) {
  Drop(9, {{1, 5}});
  PositionIs({{0, 5}, {1, 5}});
  checkpoint_->in_flight = {{.topic = "t", .offsets = {{0, 6}}}};
  EXPECT_THAT(Found().partitions, SizeIs(1));
}

TEST_F(PartitionDropped, StaysWhileTheCheckpointCannotBeRead_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 9}}});
  story_.query().Batch({{"t", {{0, 5}, {1, 5}}}});
  story_.query().Batch({{"t", {{0, 6}}}});
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.unreadable["orders"] = {ErrorKind::kDenied, "permission denied"};
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.unreadable.clear();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.query().Batch({{"t", {{0, 6}, {1, 5}}}});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
