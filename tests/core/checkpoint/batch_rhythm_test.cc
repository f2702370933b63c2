#include "core/checkpoint/batch_rhythm.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

class BatchRhythm : public ::testing::Test {
 protected:
  /// One more batch, `after` the last.
  void Add(Duration after, BatchId batches = 1) {
    now_ += after;
    batch_ += batches;
    checkpoint_.batch_times.push_back({batch_, now_});
    checkpoint_.newest_batch = batch_;
    checkpoint_.newest_batch_at = now_;
  }
  void AddSteps(int count, Duration step) {
    for (int i = 0; i < count; ++i) Add(step);
  }

  Checkpoint checkpoint_;
  Time now_{1'796'000'000s};
  BatchId batch_ = -1;
};

TEST_F(BatchRhythm, NeedsFourSteps) {
  AddSteps(4, 1min);
  EXPECT_EQ(BatchSpacing(checkpoint_), std::nullopt);
  Add(1min);
  EXPECT_EQ(BatchSpacing(checkpoint_), 1min);
}

TEST_F(BatchRhythm, OneLongBreakIsNoOtherRhythm) {
  AddSteps(10, 1min);
  Add(24h);
  AddSteps(5, 1min);
  EXPECT_EQ(BatchSpacing(checkpoint_), 1min);
}

TEST_F(BatchRhythm, WhereStepsDifferTooMuchThereIsNone) {
  for (const Duration step : {1min, 1min, 10min, 1min, 30min, 200min, 1min}) Add(step);
  EXPECT_EQ(BatchSpacing(checkpoint_), std::nullopt);
}

TEST_F(BatchRhythm, OldStepsDoNotCount) {
  AddSteps(60, 1h);
  AddSteps(20, 1min);
  EXPECT_EQ(BatchSpacing(checkpoint_), 1min);
}

TEST_F(BatchRhythm, StepsOverPurgedOrSkippedBatchesAreShared) {
  AddSteps(3, 1min);
  Add(5min, 5);
  AddSteps(3, 1min);
  EXPECT_EQ(BatchSpacing(checkpoint_), 1min);
}

TEST_F(BatchRhythm, ForetellsABatch) {
  AddSteps(6, 1min);
  EXPECT_EQ(ExpectedAt(checkpoint_, batch_ + 4, now_ + 30s), now_ + 4min);
  EXPECT_EQ(ExpectedAt(checkpoint_, batch_, now_), std::nullopt) << "it is planned already";
}

TEST_F(BatchRhythm, AQueryThatHasStoppedForetellsNothing) {
  AddSteps(6, 1min);
  EXPECT_TRUE(ExpectedAt(checkpoint_, batch_ + 4, now_ + 3min));
  EXPECT_FALSE(ExpectedAt(checkpoint_, batch_ + 4, now_ + 3min + 1ms));
}

TEST_F(BatchRhythm, DamagedNumbersForetellNothing) {
  AddSteps(6, 1min);
  EXPECT_EQ(ExpectedAt(checkpoint_, BatchId{1} << 60, now_), std::nullopt);
}

}  // namespace
}  // namespace tidegauge
