#include "core/topics/bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr Time kNow(1000h);

/// One partition; the topic is as it was until Recreate().
class Bindings : public ::testing::Test {
 protected:
  Bindings() {
    answer_.partitions[0] = {.log_start = 0, .log_end = 800};
    checkpoint_.position_at = kNow - 1h;
    PositionIs(4, 500);
    ledger_.incarnations[kTopic] = {{.topic_id = "A", .first_seen = kNow - 2h}};
  }

  void PositionIs(BatchId batch, Offset offset) {
    position_ = {.topic = "t", .offsets = {{0, offset}}, .batch = batch};
    checkpoint_.newest_batch = checkpoint_.committed_batch = batch;
  }

  void Recreate() {
    auto& lives = ledger_.incarnations[kTopic];
    lives.back().last_seen = kNow;
    lives.push_back(
        {.topic_id = "B", .generation = lives.back().generation + 1, .first_seen = kNow});
  }

  BindingInput Input() {
    return {.key = kKey,
            .kafka_cluster = "main",
            .cluster_id = "lab",
            .checkpoint = &checkpoint_,
            .position = &position_,
            .answer = &answer_,
            .current = &ledger_.incarnations.at(kTopic).back(),
            .stamps = stamps_.type == TimestampType::kUnknown ? nullptr : &stamps_,
            .now = kNow,
            .clock_margin = 1s};
  }

  const Binding& Bind() { return tidegauge::Bind(ledger_, Input()); }
  bool Belongs() { return BelongsTo(Bind(), "lab", ledger_.incarnations.at(kTopic).back()); }

  const TopicKey kTopic{"lab", "t"};
  const BindingKey kKey{"orders", "t", ""};
  Checkpoint checkpoint_;
  SourceTopic position_;
  TopicAnswer answer_{.presence = TopicPresence::kPresent};
  TopicStamps stamps_;
  Ledger ledger_;
};

TEST_F(Bindings, AtFirstSightTheOffsetsAreTheTopicsAsItIs) {
  EXPECT_TRUE(NeedsStamps(ledger_, Input()));
  EXPECT_TRUE(Belongs());
  EXPECT_EQ(ledger_.bindings.at(kKey).bound_at, kNow);
  EXPECT_FALSE(NeedsStamps(ledger_, Input()));
}

TEST_F(Bindings, AtFirstSightABatchFromTheTimeOfAnEarlierLifeBelongsToThat) {
  Recreate();
  EXPECT_FALSE(Belongs());
  EXPECT_EQ(ledger_.bindings.at(kKey).topic_id, "A");
}

TEST_F(Bindings, AtFirstSightABatchPlannedBetweenTwoLivesIsNotKnown) {
  Recreate();
  ledger_.incarnations[kTopic][0].last_seen = kNow - 90min;
  EXPECT_TRUE(Belongs());
}

TEST_F(Bindings, AtFirstSightAPositionAtTheLogStartIsFineWhicheverLifeItIs) {
  Recreate();
  PositionIs(4, 0);
  EXPECT_TRUE(Belongs());
}

TEST_F(Bindings, ItFollowsTheCheckpointInTheSameLife) {
  Bind();
  PositionIs(5, 600);
  EXPECT_TRUE(Belongs());
  EXPECT_EQ(ledger_.bindings.at(kKey).batch, 5);
  EXPECT_EQ(ledger_.bindings.at(kKey).position.at(0), 600);
}

TEST_F(Bindings, ARecreatedTopicLeavesItBehind_UntilTheCheckpointMoves) {
  Bind();
  Recreate();
  EXPECT_FALSE(NeedsStamps(ledger_, Input()));
  EXPECT_FALSE(Belongs());
  PositionIs(5, 800);
  EXPECT_TRUE(NeedsStamps(ledger_, Input()));
  EXPECT_TRUE(Belongs());
  ASSERT_THAT(ledger_.skips, SizeIs(1));
  EXPECT_EQ(ledger_.skips[0].partitions.at(0).records, 500);
  EXPECT_EQ(ledger_.skips[0].query, "orders");
  EXPECT_EQ(ledger_.skips[0].kafka_cluster, "main");
}

TEST_F(Bindings, GoneBackInTheSameLife_ItIsJudgedAsAtFirstSight_ButTheBaselineStays) {
  Bind();
  ledger_.bindings.at(kKey).bound_at = kNow - 5h;
  PositionIs(2, 300);
  EXPECT_TRUE(NeedsStamps(ledger_, Input()));
  EXPECT_TRUE(Belongs());
  EXPECT_EQ(ledger_.bindings.at(kKey).bound_at, kNow - 5h);
}

TEST_F(Bindings, GoneBackBehindAnEarlierLife_ItStaysThere) {
  Bind();
  Recreate();
  Bind();
  PositionIs(2, 300);
  checkpoint_.position_at = kNow - 100h;
  EXPECT_FALSE(Belongs());
  EXPECT_EQ(ledger_.bindings.at(kKey).batch, 2);
  EXPECT_THAT(ledger_.skips, IsEmpty());
}

TEST_F(Bindings, PartitionsThatTheCheckpointLacksAreNoted_UntilItHasThem) {
  answer_.partitions[1] = {.log_start = 0, .log_end = 5};
  Bind();
  EXPECT_EQ(ledger_.bindings.at(kKey).absent_since.at(1), 4);
  PositionIs(5, 600);
  EXPECT_EQ(Bind().absent_since.at(1), 4) << "since it was first seen";
  EXPECT_FALSE(PassedBy(ledger_.bindings.at(kKey), 1, 5));
  EXPECT_TRUE(PassedBy(ledger_.bindings.at(kKey), 1, 6));
  EXPECT_FALSE(PassedBy(ledger_.bindings.at(kKey), 0, 6));
  position_.offsets[1] = 5;
  EXPECT_THAT(Bind().absent_since, IsEmpty());
}

TEST_F(Bindings, PartitionsWithRecordsOlderThanTheBatchWereLeftOutOnPurpose) {
  answer_.partitions[1] = {.log_start = 3, .log_end = 5};
  stamps_.type = TimestampType::kCreateTime;
  stamps_.first[1] = {3, *checkpoint_.position_at - 1s};
  EXPECT_FALSE(PassedBy(Bind(), 1, 4)) << "within the margin of clocks";
  ledger_.bindings.clear();
  stamps_.first[1] = {3, *checkpoint_.position_at - 1001ms};
  EXPECT_TRUE(PassedBy(Bind(), 1, 4));
}

}  // namespace
}  // namespace tidegauge
