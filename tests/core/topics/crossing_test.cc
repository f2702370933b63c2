#include "core/topics/crossing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr Time kNow(1000h);

/// Bound at batch 4 to an earlier life; batches 5, 6 and 7 came since, planned a minute apart.
class FindingTheCrossing : public ::testing::Test {
 protected:
  FindingTheCrossing() {
    answer_.partitions[0] = {.log_start = 0, .log_end = 900};
    checkpoint_.query_id = "q1";
    for (BatchId batch = 3; batch <= 7; ++batch) {
      checkpoint_.batch_times.push_back({batch, PlannedAt(batch)});
    }
    checkpoint_.position_at = PlannedAt(7);
    checkpoint_.position_start = {{.topic = "t", .offsets = {{0, 700}}, .batch = 6}};
  }

  static Time PlannedAt(BatchId batch) { return kNow - 1h + 1min * batch; }

  std::optional<Crossing> Find() { return FindCrossing(binding_, Input()); }

  BindingInput Input() {
    return {.key = {"orders", "t", ""},
            .cluster_id = "lab",
            .checkpoint = &checkpoint_,
            .position = &position_,
            .answer = &answer_,
            .current = &current_,
            .stamps = stamps_.type == TimestampType::kUnknown ? nullptr : &stamps_,
            .now = kNow,
            .clock_margin = 1s};
  }

  void FirstRecordAt(Time at, TimestampType type) {
    stamps_.type = type;
    stamps_.first[0] = {0, at};
  }

  /// Batch 7 alone came since.
  void OnlyOneBatch() {
    binding_.batch = 6;
    binding_.position = {{0, 700}};
  }

  Binding binding_{.cluster_id = "lab", .topic_id = "A", .batch = 4, .position = {{0, 500}}};
  Incarnation current_{.topic_id = "B", .generation = 1};
  Checkpoint checkpoint_;
  SourceTopic position_{.topic = "t", .offsets = {{0, 800}}, .batch = 7};
  TopicAnswer answer_{.presence = TopicPresence::kPresent};
  TopicStamps stamps_;
};

TEST_F(FindingTheCrossing, ThePositionWasHeldAgainstTheNewLife_SoTheFirstBatchCrossed) {
  binding_.held_against = 1;
  const auto crossing = Find();
  EXPECT_EQ(crossing->batch, 5);
  EXPECT_EQ(crossing->start.at(0), 500);
  EXPECT_THAT(crossing->end, IsEmpty()) << "it did not fall";
  EXPECT_EQ(crossing->bound, Bound::kExact);
  EXPECT_EQ(crossing->confidence, Confidence::kCertain);
}

TEST_F(FindingTheCrossing, HeldAgainstAnotherLifeIsNoOrder) {
  binding_.held_against = 0;
  EXPECT_EQ(Find()->bound, Bound::kAtMost);
}

TEST_F(FindingTheCrossing, AFallNamesTheBatchTheStartAndTheEnd) {
  checkpoint_.steps.push_back({.kind = BatchStep::Kind::kBackwards,
                               .batch = 6,
                               .topic = "t",
                               .from = {{0, 650}},
                               .to = {{0, 90}},
                               .before = {{0, 650}, {1, 77}}});
  const auto crossing = Find();
  EXPECT_EQ(crossing->batch, 6);
  EXPECT_EQ(crossing->start.at(0), 650);
  EXPECT_EQ(crossing->start.at(1), 77) << "it did not fall, and began there";
  EXPECT_EQ(crossing->end.at(0), 90);
  EXPECT_EQ(crossing->bound, Bound::kExact);
}

TEST_F(FindingTheCrossing, AFallBeforeTheBindingOrOfAnotherTopicIsNone) {
  BatchStep step{.kind = BatchStep::Kind::kBackwards, .batch = 4, .topic = "t", .to = {{0, 9}}};
  checkpoint_.steps = {step};
  step.batch = 6;
  step.topic = "u";
  checkpoint_.steps.push_back(step);
  step.topic = "t";
  step.kind = BatchStep::Kind::kPartitionDropped;
  checkpoint_.steps.push_back(step);
  EXPECT_EQ(Find()->bound, Bound::kAtMost);
}

TEST_F(FindingTheCrossing, BeyondTheEndNoBatchCanHaveReadTheNewLife) {
  answer_.partitions[0].log_end = 799;
  EXPECT_EQ(Find(), std::nullopt);
  answer_.partitions[0].log_end = 800;
  EXPECT_NE(Find(), std::nullopt);
  answer_.partitions.clear();
  EXPECT_EQ(Find(), std::nullopt);
}

TEST_F(FindingTheCrossing, WithoutStampsItIsAtMostThePresentPosition) {
  const auto crossing = Find();
  EXPECT_EQ(crossing->start.at(0), 800);
  EXPECT_EQ(crossing->bound, Bound::kAtMost);
  EXPECT_EQ(crossing->confidence, Confidence::kLikely);
}

TEST_F(FindingTheCrossing, AllBatchesWerePlannedBeforeTheFirstRecord_NoneHasRead) {
  FirstRecordAt(PlannedAt(7) + 1001ms, TimestampType::kCreateTime);
  EXPECT_EQ(Find(), std::nullopt);
  FirstRecordAt(PlannedAt(7) + 1s, TimestampType::kCreateTime);
  EXPECT_EQ(Find()->bound, Bound::kAtMost) << "within the margin of clocks";
}

TEST_F(FindingTheCrossing, AllBatchesWerePlannedAfterTheBrokersFirstStamp_TheFirstOneCrossed) {
  FirstRecordAt(PlannedAt(5) - 1001ms, TimestampType::kLogAppendTime);
  EXPECT_EQ(Find()->batch, 5);
  EXPECT_EQ(Find()->start.at(0), 500);
  EXPECT_EQ(Find()->bound, Bound::kExact);
  EXPECT_EQ(Find()->confidence, Confidence::kCertain);
  FirstRecordAt(PlannedAt(5) - 1s, TimestampType::kLogAppendTime);
  EXPECT_EQ(Find()->bound, Bound::kAtMost);
}

TEST_F(FindingTheCrossing, ProducersStampsDoNotOrderSeveralBatches) {
  FirstRecordAt(PlannedAt(5) - 1min, TimestampType::kCreateTime);
  EXPECT_EQ(Find()->bound, Bound::kAtMost);
}

TEST_F(FindingTheCrossing, ProducersStampsOrderOneBatch_AndItIsLikely) {
  OnlyOneBatch();
  FirstRecordAt(PlannedAt(7) - 1min, TimestampType::kCreateTime);
  EXPECT_EQ(Find()->start.at(0), 700);
  EXPECT_EQ(Find()->end.at(0), 800);
  EXPECT_EQ(Find()->bound, Bound::kExact);
  EXPECT_EQ(Find()->confidence, Confidence::kLikely);
}

TEST_F(FindingTheCrossing, BatchesThatWerePurgedMayHaveComeFirst) {
  checkpoint_.batch_times.erase(checkpoint_.batch_times.begin(),
                                checkpoint_.batch_times.begin() + 3);
  FirstRecordAt(PlannedAt(5) - 1min, TimestampType::kLogAppendTime);
  EXPECT_EQ(Find()->bound, Bound::kAtMost) << "batch 6 is the oldest left";
}

TEST_F(FindingTheCrossing, TheFileWasCorrectedBeforeTheOnlyBatch) {
  OnlyOneBatch();
  binding_.held_against = 1;
  checkpoint_.position_start[0].offsets = {{0, 33}};
  EXPECT_EQ(Find()->start.at(0), 33);
}

TEST_F(FindingTheCrossing, WithoutIdsItIsLikely) {
  binding_.held_against = 1;
  binding_.topic_id.clear();
  EXPECT_EQ(Find()->confidence, Confidence::kLikely);
  binding_.evidence = "log_append_time";
  EXPECT_EQ(Find()->confidence, Confidence::kCertain);
}

TEST_F(FindingTheCrossing, NotingIt_CountsUpToTheSmallerOfStartAndEnd) {
  Ledger ledger;
  answer_.partitions[1] = {.log_start = 0, .log_end = 10};
  answer_.partitions[2] = {.log_start = 0, .log_end = 10};
  NoteCrossing(ledger, Input(),
               {.batch = 5, .start = {{0, 500}, {1, 7}, {2, 0}, {3, 44}}, .end = {{0, 300}}});
  ASSERT_THAT(ledger.skips, SizeIs(1));
  const SkipEvent& event = ledger.skips[0];
  ASSERT_THAT(event.partitions, SizeIs(2)) << "2 passed over nothing, 3 is not there";
  EXPECT_EQ(event.partitions[0].records, 300);
  EXPECT_EQ(event.partitions[1].records, 7);
  EXPECT_EQ(event.bound, Bound::kExact);
  NoteCrossing(ledger, Input(), {.batch = 5, .start = {{0, 500}}});
  EXPECT_THAT(ledger.skips, SizeIs(1)) << "the same batch once";
}

TEST_F(FindingTheCrossing, NotingIt_ALogStartAboveZeroOrUnknownMakesItABound) {
  for (const std::optional<Offset> start : {std::optional<Offset>(1), std::optional<Offset>()}) {
    Ledger ledger;
    answer_.partitions[0].log_start = start;
    NoteCrossing(ledger, Input(), {.batch = 5, .start = {{0, 500}}});
    EXPECT_EQ(ledger.skips.at(0).bound, Bound::kAtMost);
  }
}

TEST_F(FindingTheCrossing, NotingIt_NothingBelowTheStartIsNoEvent) {
  Ledger ledger;
  NoteCrossing(ledger, Input(), {.batch = 5, .start = {{0, 500}}, .end = {{0, 0}}});
  EXPECT_THAT(ledger.skips, IsEmpty());
}

}  // namespace
}  // namespace tidegauge
