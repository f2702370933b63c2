// What timestamps prove about a topic that was never seen before, and what they do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

/// Batch 0 has read 500 records of t; the daemon begins an hour later.
class FirstSight : public ::testing::Test {
 protected:
  FirstSight() {
    story.kafka.Create("t", "A");
    story.kafka.Produce("t", 0, 500);
    story.Wait(1min);
    story.query().Batch({{"t", {{0, 500}}}});
    story.Wait(20min);
  }

  void Recreate(std::int64_t records, TimestampType type) {
    story.kafka.Create("t", "B");
    story.kafka.SetTimestampType("t", type);
    story.kafka.Produce("t", 0, records);
    story.Wait(40min);
  }

  Finding Recreated() const { return The(story.report, "topic_recreated"); }

  Scenario story;
};

class FirstSightOfARecreatedTopic
    : public FirstSight,
      public ::testing::WithParamInterface<std::pair<int, std::string>> {};

TEST_P(FirstSightOfARecreatedTopic, IsCertainWhereTheBrokerStamps) {
  const auto& [records, direction] = GetParam();
  Recreate(records, TimestampType::kLogAppendTime);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(Recreated().direction, direction);
  EXPECT_EQ(Recreated().confidence, Confidence::kCertain);
  EXPECT_THAT(Recreated().evidence, ElementsAre("log_append_time"));
  EXPECT_EQ(Recreated().records, std::min(records, 500));
}

TEST_P(FirstSightOfARecreatedTopic, IsLikelyWhereProducersStamp_AndConfirmedOverMorePolls) {
  const auto& [records, direction] = GetParam();
  Recreate(records, TimestampType::kCreateTime);
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  EXPECT_THAT(Pending(story.report), ElementsAre("topic_recreated"));
  story.PollFor(4min);
  EXPECT_THAT(Firing(story.report), IsEmpty());
  story.PollFor(1min);
  EXPECT_THAT(Firing(story.report), ElementsAre("topic_recreated"));
  EXPECT_EQ(Recreated().direction, direction);
  EXPECT_EQ(Recreated().confidence, Confidence::kLikely);
  EXPECT_THAT(Recreated().evidence, ElementsAre("record_timestamps"));
}

TEST_P(FirstSightOfARecreatedTopic, IsFoundAtOnceByACheck) {
  Recreate(GetParam().first, TimestampType::kCreateTime);
  story.JudgeAtOnce();
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
}

INSTANTIATE_TEST_SUITE_P(Directions, FirstSightOfARecreatedTopic,
                         ::testing::Values(std::pair(800, "above"), std::pair(300, "below"),
                                           std::pair(500, "equal")),
                         [](const auto& test) { return test.param.second; });

TEST_F(FirstSight, TheTopicAsItWas_IsQuiet) { EXPECT_THAT(story.Poll().findings, IsEmpty()); }

TEST_F(FirstSight, TheTopicHasGrownSince_IsQuiet) {
  story.kafka.Produce("t", 0, 300);
  story.Wait(40min);
  EXPECT_THAT(story.Poll().findings, IsEmpty());
}

TEST_F(FirstSight, TrimmedBelowThePosition_IsQuiet) {
  story.kafka.Produce("t", 0, 300);
  story.kafka.Expire("t", 0, 200);
  EXPECT_THAT(story.Poll().findings, IsEmpty());
}

TEST_F(FirstSight, TrimmedBeyondThePosition_IsExpiryAndNotRecreation) {
  story.kafka.Produce("t", 0, 300);
  story.kafka.Expire("t", 0, 700);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
}

TEST_F(FirstSight, CompactedAndTheFirstRecordLeftIsFromBeforeTheBatch_IsQuiet) {
  story.kafka.Produce("t", 0, 300);
  story.on_stamps = [&](StampAnswers& stamps) {
    stamps.at("main").at("t").first.at(0) = {480, kStart + 30s};
  };
  EXPECT_THAT(story.Poll().findings, IsEmpty());
}

TEST_F(FirstSight, RecreatedButEmpty_EndsBelowTheCheckpoint) {
  Recreate(0, TimestampType::kCreateTime);
  story.Poll();
  story.PollFor(1min);
  EXPECT_THAT(Firing(story.report), ElementsAre("end_below_checkpoint"));
}

TEST_F(FirstSight, RecreatedAndRefilledWithTheOriginalStamps_OnlyTheIdCouldTell) {
  story.kafka.Create("t", "B");
  story.kafka.Produce("t", 0, 800, -2h);
  story.Wait(40min);
  EXPECT_THAT(story.Poll().findings, IsEmpty());
}

TEST_F(FirstSight, OneOldRecordBelowThePosition_SpeaksForTheOriginalTopic) {
  story.kafka.Create("t", "B", 2);
  story.kafka.Produce("t", 0, 800);
  story.kafka.Produce("t", 1, 50, -2h);
  story.query().Edit(0, {{"t", {{0, 500}, {1, 40}}}});
  story.Wait(40min);
  story.JudgeAtOnce();
  EXPECT_THAT(story.Poll().findings, IsEmpty());
}

TEST_F(FirstSight, AProducerTwentyMinutesAheadDoesNotRaiseIt) {
  Scenario ahead;
  ahead.kafka.Create("t", "A");
  ahead.kafka.Produce("t", 0, 500, 20min);
  ahead.query().Batch({{"t", {{0, 500}}}});
  ahead.JudgeAtOnce();
  EXPECT_THAT(ahead.Poll().findings, IsEmpty());
}

TEST_F(FirstSight, ClocksThatDifferByLessThanTheMarginProveNothing) {
  Scenario skewed;
  skewed.kafka.Create("t", "A");
  skewed.kafka.SetTimestampType("t", TimestampType::kLogAppendTime);
  skewed.kafka.Produce("t", 0, 500, 1s);
  skewed.query().Batch({{"t", {{0, 500}}}});
  EXPECT_THAT(skewed.Poll().findings, IsEmpty()) << "exactly the margin";

  Scenario beyond;
  beyond.kafka.Create("t", "A");
  beyond.kafka.SetTimestampType("t", TimestampType::kLogAppendTime);
  beyond.kafka.Produce("t", 0, 500, 1001ms);
  beyond.query().Batch({{"t", {{0, 500}}}});
  EXPECT_THAT(Firing(beyond.Poll()), ElementsAre("topic_recreated"));
}

TEST_F(FirstSight, TheTopicMovesOnAfterALikelyRecreation_TheLossIsLikelyToo) {
  Recreate(800, TimestampType::kCreateTime);
  story.Poll();
  story.query().Batch({{"t", {{0, 800}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(The(story.report, "records_skipped").records, 500);
  EXPECT_EQ(The(story.report, "records_skipped").confidence, Confidence::kLikely);
}

TEST_F(FirstSight, StampsAreAskedForOnceAndNotAtEveryPoll) {
  int asked = 0;
  story.on_stamps = [&](StampAnswers& stamps) { asked += stamps.empty() ? 0 : 1; };
  story.Poll();
  story.query().Batch({{"t", {{0, 500}}}});
  story.PollFor(5min);
  EXPECT_EQ(asked, 1);
}

// What the retained batches of a checkpoint show that nobody watched.
TEST_F(FirstSight, OffsetsThatFellInTheRetainedBatches_AreRecordsSkippedLongAgo) {
  story.kafka.Create("t", "B");
  story.kafka.Produce("t", 0, 300);
  story.Wait(1min);
  story.query().Batch({{"t", {{0, 300}}}});
  story.kafka.Produce("t", 0, 100);
  story.Wait(1min);
  story.query().Batch({{"t", {{0, 400}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  const Finding found = The(story.report, "records_skipped");
  EXPECT_EQ(found.records, 300);
  EXPECT_EQ(found.records_bound, Bound::kExact) << "the log still starts at 0";
  EXPECT_EQ(found.confidence, Confidence::kLikely) << "a truncated log leaves the same trace";
  EXPECT_EQ(found.batch, 1);
}

TEST_F(FirstSight, OffsetsThatFellToZero_PassedThroughTheLogStart) {
  story.kafka.Create("t", "B");
  story.query().Batch({{"t", {{0, 0}}}});
  story.kafka.Produce("t", 0, 100);
  story.query().Batch({{"t", {{0, 100}}}});
  EXPECT_THAT(story.Poll().findings, IsEmpty());
}

TEST_F(FirstSight, OffsetsThatFell_AreFoundWithoutKafkaToo_AsABound) {
  story.query().Batch({{"t", {{0, 300}}}});
  story.kafka.Down();
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(The(story.report, "records_skipped").records_bound, Bound::kAtMost);
  EXPECT_FALSE(QueryOf(story.report).unknown.empty());
}

}  // namespace
}  // namespace tidegauge::testing
