#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;

class SourceOffsetsEmpty : public JudgeOne {
 protected:
  SourceOffsetsEmpty() : JudgeOne("source_offsets_empty") {
    view_.newest_batch_before = 30;
    checkpoint_->steps.push_back({.kind = BatchStep::Kind::kSourceEmptied,
                                  .batch = 31,
                                  .topic = "t",
                                  .from = {{0, 100}, {1, 90}}});
  }

  void NewestIs(BatchId batch, PartitionOffsets offsets) {
    checkpoint_->newest_batch = batch;
    checkpoint_->position.clear();
    if (!offsets.empty()) checkpoint_->position.push_back({.topic = "t", .offsets = offsets});
  }
};

TEST_F(SourceOffsetsEmpty, IsQuietWithoutSuchABatch) {
  checkpoint_->steps.clear();
  NewestIs(31, {{0, 100}});
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(SourceOffsetsEmpty, CountsWhatWillBeReadTwice) {
  NewestIs(31, {});
  Add(0, 100, 20, 200);
  Add(1, 90, 95, 200);
  EXPECT_EQ(Found().records, 80) << "from the log start, if that is below";
  EXPECT_EQ(Found().batch, 31);
}

TEST_F(SourceOffsetsEmpty, WithoutALogStartItIsAllOfIt) {
  NewestIs(31, {});
  EXPECT_EQ(Found().records, 190);
  EXPECT_EQ(Found().records_bound, Bound::kAtMost);
}

TEST_F(SourceOffsetsEmpty, LastsUntilOneMoreBatchStandsAfterTheOneThatReadsTwice) {
  view_.newest_batch_before = 31;
  NewestIs(32, {{0, 105}, {1, 95}});
  EXPECT_EQ(Check().size(), 1u);
  NewestIs(33, {{0, 105}, {1, 95}});
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(SourceOffsetsEmpty, LastsWhileTheSourceStaysEmpty) {
  view_.newest_batch_before = 39;
  NewestIs(40, {});
  EXPECT_EQ(Check().size(), 1u);
}

TEST_F(SourceOffsetsEmpty, IsSaidOnceOfWhatHappenedWhileNobodyLooked) {
  view_.newest_batch_before = 30;
  NewestIs(60, {{0, 105}});
  EXPECT_EQ(Check().size(), 1u);
  view_.newest_batch_before = 60;
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(SourceOffsetsEmpty, StaysWhileTheCheckpointCannotBeRead_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 100}}});
  story_.query().Batch({{"t", {{0, 100}}}});
  story_.Poll();
  story_.query().Batch({});
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "stale file handle"};
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.unreadable.clear();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
