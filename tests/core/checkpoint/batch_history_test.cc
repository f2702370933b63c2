#include "core/checkpoint/batch_history.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/checkpoint/checkpoint_fixture.h"

namespace tidegauge {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = BatchStep::Kind;

class History : public CheckpointFixture {
 protected:
  History() { write_.Metadata().Initial("0", T(0)); }

  std::vector<BatchId> StepBatches() {
    std::vector<BatchId> batches;
    const auto read = MustRead();
    for (const BatchStep& step : read->steps) batches.push_back(step.batch);
    return batches;
  }
};

TEST_F(History, AllRetainedBatchesAreLookedAt) {
  for (BatchId batch = 40; batch <= 140; ++batch) {
    write_.Batch(batch, {T(batch == 90 ? 1 : batch * 10)});
  }
  const auto read = MustRead();
  EXPECT_EQ(read->batch_times.size(), 101u);
  EXPECT_EQ(read->batch_times.front().batch, 40);
  EXPECT_EQ(read->batch_times.back().planned_at, read->position_at);
  EXPECT_THAT(StepBatches(), ElementsAre(90));
  EXPECT_EQ(read->steps[0].from, (PartitionOffsets{{0, 890}}));
  EXPECT_EQ(read->steps[0].to, (PartitionOffsets{{0, 1}}));
}

TEST_F(History, WhatIsInFlightHasNotGoneBackYet) {
  write_.Batch(0, {T(500)}).Offsets(1, {T(300)});
  EXPECT_THAT(StepBatches(), IsEmpty());
  write_.Commit(1);
  EXPECT_THAT(StepBatches(), ElementsAre(1));
}

TEST_F(History, WhatIsInFlightHasDroppedPartitionsAlready) {
  write_.Batch(0, {R"({"t":{"0":5,"1":6}})"}).Offsets(1, {T(7)});
  const auto read = MustRead();
  ASSERT_EQ(read->steps.size(), 1u);
  EXPECT_EQ(read->steps[0].kind, Kind::kPartitionDropped);
  EXPECT_EQ(read->steps[0].from, (PartitionOffsets{{1, 6}}));
}

TEST_F(History, LostCommitsDoNotHideWhatHappened) {
  write_.Offsets(0, {T(500)}).Offsets(1, {T(300)}).Offsets(2, {T(350)});
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 300);
  EXPECT_THAT(StepBatches(), ElementsAre(1));
  EXPECT_EQ(read->batch_times.size(), 2u);
}

TEST_F(History, OfflineRepartitionIsNoStep) {
  write_.Batch(0, {T(10)}).Batch(1, {T(20)});
  const OffsetsFile repeated{.lines = {T(10)}, .shuffle_partitions = "64"};
  write_.File("offsets/2", repeated.Text()).Commit(2);
  EXPECT_THAT(StepBatches(), IsEmpty());
  write_.Batch(3, {T(12)});
  EXPECT_THAT(StepBatches(), IsEmpty());
}

TEST_F(History, UnreadableBatchesAreProblemsAndSteppedOver) {
  for (BatchId batch = 0; batch < 6; ++batch) write_.Batch(batch, {T(100 - batch)});
  write_.File("offsets/2", "v1\n{}");
  const auto read = MustRead();
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("/c/offsets/2: torn")));
  EXPECT_THAT(StepBatches(), ElementsAre(1, 3, 4, 5));
  EXPECT_EQ(read->steps[1].from, (PartitionOffsets{{0, 99}}));
}

TEST_F(History, TheOldestMayBePurgedMeanwhile) {
  for (BatchId batch = 0; batch < 10; ++batch) write_.Batch(batch, {T(batch)});
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.path == "/c/offsets/0" && call.kind == StorageCall::Kind::kRead) {
      for (const char* name : {"0", "1", "2"}) storage_.Remove(std::string("/c/offsets/") + name);
    }
    return std::nullopt;
  });
  const auto read = MustRead();
  EXPECT_THAT(read->problems, IsEmpty());
  EXPECT_EQ(read->batch_times.front().batch, 3);
}

TEST_F(History, PurgedUpToTheMiddleIsListedAgain) {
  for (BatchId batch = 0; batch < 10; ++batch) write_.Batch(batch, {T(batch)});
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.path == "/c/offsets/4" && call.kind == StorageCall::Kind::kRead) {
      for (BatchId batch = 0; batch < 5; ++batch) {
        storage_.Remove("/c/offsets/" + std::to_string(batch));
      }
    }
    return std::nullopt;
  });
  const auto read = MustRead();
  EXPECT_THAT(read->problems, IsEmpty());
  EXPECT_EQ(read->batch_times.front().batch, 5);
}

TEST_F(History, StepsOfPurgedBatchesAreForgotten) {
  write_.Batch(0, {T(500)}).Batch(1, {T(300)}).Batch(2, {T(350)});
  const auto first = MustRead();
  EXPECT_EQ(first->steps.size(), 1u);
  storage_.SetClock(kNow + std::chrono::seconds(30));
  write_.Batch(3, {T(400)});
  storage_.Remove("/c/offsets/0");
  EXPECT_EQ(MustRead(first)->steps.size(), 1u) << "1 is still there";
  storage_.Remove("/c/offsets/1");
  const auto last = MustRead(first);
  EXPECT_THAT(last->steps, IsEmpty());
  EXPECT_EQ(last->batch_times.front().batch, 2);
}

TEST_F(History, ADirectoryThatIsNeverPurgedIsNotReadWhole) {
  for (BatchId batch = 0; batch < 1000; ++batch) write_.Batch(batch, {T(batch)});
  const auto read = MustRead();
  EXPECT_EQ(read->batch_times.size(), 200u);
  EXPECT_EQ(read->batch_times.front().batch, 800);
}

TEST_F(History, StepsOfTwoSourcesOfOneTopicAreToldApart) {
  write_.Initial("1", T(0)).Batch(0, {T(50), T(80)}).Batch(1, {T(60), T(20)});
  const auto read = MustRead();
  ASSERT_EQ(read->steps.size(), 1u);
  EXPECT_EQ(read->steps[0].source, "1");
}

}  // namespace
}  // namespace tidegauge
