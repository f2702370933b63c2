// A recreated topic known by memory: what was seen, from poll to poll, over our own restarts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

/// Topic t with 500 records, all read; the daemon has seen it.
class RecreationMemory : public ::testing::Test {
 protected:
  RecreationMemory() {
    story.kafka.Create("t", "A");
    story.kafka.Produce("t", 0, 500);
    story.Wait(10s);
    story.query().Batch({{"t", {{0, 500}}}});
    story.Poll();
  }

  void Recreate(const std::string& id, std::int64_t records) {
    story.kafka.Create("t", id);
    story.kafka.Produce("t", 0, records);
  }

  Finding Skipped() const { return The(story.report, "records_skipped"); }

  Scenario story;
};

TEST_F(RecreationMemory, TheBatchMovesOnInsideTheNewTopic_TheLossIsExactAndTheWarningIsOver) {
  Recreate("B", 800);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  story.query().Batch({{"t", {{0, 800}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 500);
  EXPECT_EQ(Skipped().records_bound, Bound::kExact);
  EXPECT_EQ(Skipped().confidence, Confidence::kCertain);
  EXPECT_EQ(Skipped().batch, 1);
  EXPECT_EQ(story.ledger.findings.at(The(story.report, "records_skipped").key).phase,
            Phase::kFiring);
}

TEST_F(RecreationMemory, TheBatchFallsToTheNewEnd_AllOfTheNewTopicSoFarIsPassedOver) {
  Recreate("B", 300);
  story.Poll();
  story.query().Batch({{"t", {{0, 300}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 300);
  EXPECT_EQ(Skipped().records_bound, Bound::kExact);
}

TEST_F(RecreationMemory, ThePositionPassesThroughTheLogStart_NothingIsSkipped) {
  Recreate("B", 0);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").direction, "empty");
  story.query().Batch({{"t", {{0, 0}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  story.kafka.Produce("t", 0, 100);
  story.query().Batch({{"t", {{0, 100}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  EXPECT_THAT(story.ledger.skips, IsEmpty());
}

TEST_F(RecreationMemory, ThePositionPassesThroughTheLogStartBetweenTwoPolls_NothingIsSkipped) {
  Recreate("B", 0);
  story.query().Batch({{"t", {{0, 0}}}});
  story.kafka.Produce("t", 0, 900);
  story.query().Batch({{"t", {{0, 600}}}});
  story.query().Batch({{"t", {{0, 900}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
}

TEST_F(RecreationMemory, PartitionsThatWereEmptyBefore_PassThroughTheLogStartToo) {
  story.kafka.AddPartitions("t", 1);
  story.query().Batch({{"t", {{0, 500}, {1, 0}}}});
  story.Poll();
  story.kafka.Create("t", "B", 2);
  story.query().Batch({{"t", {{0, 0}, {1, 0}}}});
  story.kafka.Produce("t", 0, 400);
  story.kafka.Produce("t", 1, 450);
  story.query().Batch({{"t", {{0, 400}, {1, 450}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty()) << "partition 1 began at 0 in both topics";
}

TEST_F(RecreationMemory, SeveralBatchesAfterAPollSawIt_TheFirstOneTookTheLoss) {
  Recreate("B", 800);
  story.Poll();
  for (const Offset end : {600, 700, 800}) story.query().Batch({{"t", {{0, end}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 500);
  EXPECT_EQ(Skipped().records_bound, Bound::kExact);
  EXPECT_EQ(Skipped().batch, 1) << "of 1, 2 and 3";
}

TEST_F(RecreationMemory, SeveralBatchesAroundIt_TheLossIsAtMostThePresentPosition) {
  story.kafka.HideStamps();
  story.kafka.Produce("t", 0, 100);
  story.query().Batch({{"t", {{0, 600}}}});
  Recreate("B", 900);
  story.query().Batch({{"t", {{0, 900}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 900) << "600 in truth";
  EXPECT_EQ(Skipped().records_bound, Bound::kAtMost);
  EXPECT_EQ(Skipped().confidence, Confidence::kLikely);
}

TEST_F(RecreationMemory, SeveralBatchesAroundIt_AFallShowsTheExactLoss) {
  story.kafka.HideStamps();
  story.kafka.Produce("t", 0, 100);
  story.query().Batch({{"t", {{0, 600}}}});
  Recreate("B", 250);
  story.query().Batch({{"t", {{0, 250}}}});
  story.kafka.Produce("t", 0, 750);
  story.query().Batch({{"t", {{0, 1000}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 250);
  EXPECT_EQ(Skipped().records_bound, Bound::kExact);
  EXPECT_EQ(Skipped().batch, 2);
}

TEST_F(RecreationMemory, AFallInOnePartition_IsExactForTheOthersToo) {
  story.kafka.HideStamps();
  story.kafka.AddPartitions("t", 1);
  story.kafka.Produce("t", 1, 100);
  story.query().Batch({{"t", {{0, 500}, {1, 100}}}});
  story.Poll();
  story.kafka.Produce("t", 1, 20);
  story.query().Batch({{"t", {{0, 500}, {1, 120}}}});
  story.kafka.Create("t", "B", 2);
  story.kafka.Produce("t", 0, 300);
  story.kafka.Produce("t", 1, 200);
  story.query().Batch({{"t", {{0, 300}, {1, 200}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 420) << "300 and the 120 that partition 1 had come to";
  EXPECT_EQ(Skipped().records_bound, Bound::kExact);
  ASSERT_EQ(Skipped().partitions.size(), 2u);
  EXPECT_EQ(Skipped().partitions[0].records, 300);
  EXPECT_EQ(Skipped().partitions[1].records, 120);
}

TEST_F(RecreationMemory, OneBatchAndTheRecreationBetweenTwoPolls_BrokersStampsTellTheirOrder) {
  story.kafka.Create("t", "B");
  story.kafka.SetTimestampType("t", TimestampType::kLogAppendTime);
  story.kafka.Produce("t", 0, 800);
  story.Wait(10s);
  story.query().Batch({{"t", {{0, 800}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 500);
  EXPECT_EQ(Skipped().records_bound, Bound::kExact);
  EXPECT_EQ(Skipped().confidence, Confidence::kCertain);
}

TEST_F(RecreationMemory, OneBatchOfTheOldTopicBeforeTheRecreation_IsStillAhead) {
  story.kafka.Produce("t", 0, 100);
  story.query().Batch({{"t", {{0, 600}}}});
  story.Wait(10s);
  Recreate("B", 800);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").records, 600);
  EXPECT_THAT(story.ledger.skips, IsEmpty());
}

TEST_F(RecreationMemory, TheOldPositionLiesBeyondTheNewEnd_SoNoBatchReadTheNewTopic) {
  story.kafka.HideStamps();
  story.kafka.Produce("t", 0, 100);
  story.query().Batch({{"t", {{0, 600}}}});
  Recreate("B", 50);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").records, 50);
}

TEST_F(RecreationMemory, DaemonDownOverTheRecreationAndManyBatches_TheLossIsBounded) {
  story.Wait(1h);
  Recreate("B", 700);
  story.Wait(1h);
  for (const Offset end : {550, 600, 700}) story.query().Batch({{"t", {{0, end}}}});
  story.RestartDaemon();
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 700);
  EXPECT_EQ(Skipped().records_bound, Bound::kAtMost);
}

TEST_F(RecreationMemory, DaemonDownOverItAll_BrokersStampsMakeTheLossExact) {
  story.Wait(1h);
  story.kafka.Create("t", "B");
  story.kafka.SetTimestampType("t", TimestampType::kLogAppendTime);
  story.kafka.Produce("t", 0, 700);
  story.Wait(1h);
  for (const Offset end : {550, 600, 700}) story.query().Batch({{"t", {{0, end}}}});
  story.RestartDaemon();
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 500);
  EXPECT_EQ(Skipped().records_bound, Bound::kExact);
}

TEST_F(RecreationMemory, CheckpointUnreadableWhileTheTopicWasRecreated_TheOrderIsNotTakenForKnown) {
  story.kafka.HideStamps();
  story.kafka.Produce("t", 0, 100);
  story.query().Batch({{"t", {{0, 600}}}});
  story.unreadable["orders"] = {ErrorKind::kUnavailable, "/data: stale file handle"};
  Recreate("B", 900);
  story.Poll();
  story.unreadable.clear();
  story.query().Batch({{"t", {{0, 900}}}});
  story.Poll();
  EXPECT_EQ(Skipped().records_bound, Bound::kAtMost)
      << "batch 1 was the old topic's, and no poll held it against the new one";
}

TEST_F(RecreationMemory, TwoChecksLongAfterTheBatches_MemoryWorksByTheOrderOfPolls) {
  story.ForgetEverything();
  story.kafka.HideStamps();
  story.JudgeAtOnce();
  story.now += 24h * 30;
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  story.kafka.Set("t", "B", {{0, {0, 800}}});
  story.RestartDaemon();
  EXPECT_THAT(Firing(story.Poll(1min)), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").records, 500);
}

TEST_F(RecreationMemory, RecreatedTwice_TheLossOfTheLastOneCounts) {
  Recreate("B", 800);
  story.Poll();
  Recreate("C", 600);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  story.query().Batch({{"t", {{0, 600}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(Skipped().records, 500);
}

TEST_F(RecreationMemory, ABrokerThatLagsBehindNamesTheOldTopicOnceMore) {
  Recreate("B", 800);
  story.query().Batch({{"t", {{0, 800}}}});
  story.kafka.HideStamps();
  story.Poll();
  story.Acknowledge("records_skipped", "orders", "t");
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  story.kafka.AnswerOddly([](ClusterAnswer& answer) { answer.topics.at("t").topic_id = "A"; });
  story.Poll();
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  EXPECT_EQ(story.ledger.incarnations.at({"lab-1", "t"}).size(), 2u);
}

TEST_F(RecreationMemory, AZeroTopicIdIsNeitherEqualNorDifferent) {
  for (int poll = 0; poll < 3; ++poll) {
    story.kafka.AnswerOddly([](ClusterAnswer& answer) { answer.topics.at("t").topic_id.clear(); });
    story.Poll();
    EXPECT_THAT(story.report.findings, IsEmpty());
  }
  Recreate("B", 800);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated")) << "A is remembered over it";
}

TEST_F(RecreationMemory, WithIds_ATruncatedLogIsNotARecreatedTopic) {
  story.kafka.Truncate("t", 0, 450);
  story.Poll();
  story.PollFor(1min);
  EXPECT_THAT(Firing(story.report), ElementsAre("end_below_checkpoint"));
  story.query().Batch({{"t", {{0, 450}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty()) << "nothing of this topic was passed over";
}

TEST_F(RecreationMemory, TheOperatorCorrectsTheFile_AndItIsOver) {
  Recreate("B", 800);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  story.query().Edit(0, {{"t", {{0, 0}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  story.query().Batch({{"t", {{0, 800}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty()) << "and nothing was skipped";
}

TEST_F(RecreationMemory, TheOperatorCorrectsTheFileAndStartsTheQuery_AllBetweenTwoPolls) {
  Recreate("B", 800);
  story.Poll();
  story.Wait(5s);
  story.query().Edit(0, {{"t", {{0, 0}}}});
  story.Wait(5s);
  story.query().Batch({{"t", {{0, 800}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  EXPECT_THAT(story.ledger.skips, IsEmpty());
}

TEST_F(RecreationMemory, TheOperatorCorrectsTheFileToAnOffsetOfTheNewTopic) {
  Recreate("B", 800);
  story.Poll();
  story.query().Edit(0, {{"t", {{0, 123}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty()) << "by a timestamp, say: that is meant";
}

TEST_F(RecreationMemory, TheOperatorForgetsOneOfTwoPartitions) {
  story.kafka.AddPartitions("t", 1);
  story.kafka.Produce("t", 1, 90);
  story.query().Batch({{"t", {{0, 500}, {1, 90}}}});
  story.Poll();
  story.kafka.Create("t", "B", 2);
  story.kafka.Produce("t", 0, 800);
  story.kafka.Produce("t", 1, 100);
  story.Poll();
  story.query().Edit(1, {{"t", {{0, 0}, {1, 90}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").records, 90) << "partition 1 is left to do";
  story.query().Edit(1, {{"t", {{0, 0}, {1, 0}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
}

TEST_F(RecreationMemory, AnOlderStateOfTheCheckpointIsPutBack_ItsOffsetsAreOfTheOldTopicStill) {
  story.query().Batch({{"t", {{0, 500}}}});
  story.Poll();
  Recreate("B", 800);
  story.Poll();
  story.query().RollBackTo(0);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
}

TEST_F(RecreationMemory, GoneBackToABatchOfTheOldTopic_AfterTheNewOneWasRead) {
  Recreate("B", 800);
  story.Poll();
  story.query().Batch({{"t", {{0, 800}}}});
  story.Poll();
  story.query().RollBackTo(0);
  EXPECT_THAT(Firing(story.Poll()), UnorderedElementsAre("records_skipped", "topic_recreated"))
      << "it will be skipped again";
}

TEST_F(RecreationMemory, ANewCheckpointInTheSamePlaceIsAnotherQuery) {
  Recreate("B", 800);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  story.query().StartOver("22222222-0000-0000-0000-000000000000");
  story.query().Batch({{"t", {{0, 800}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("query_id_changed"));
  EXPECT_EQ(QueryOf(story.report).baseline_at, story.now);
}

TEST_F(RecreationMemory, ANewCheckpointAppearsWhileKafkaIsDown_ItIsNotTakenForTheOldOne) {
  story.query().StartOver("22222222-0000-0000-0000-000000000000");
  Recreate("B", 800);
  story.query().Batch({{"t", {{0, 100}}}});
  story.kafka.Down();
  story.Poll();
  for (const Offset end : {400, 800}) story.query().Batch({{"t", {{0, end}}}});
  story.kafka.Up();
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("query_id_changed"))
      << "it has read all of the new topic";
}

TEST_F(RecreationMemory, TheQueryIsRemovedFromDisk) {
  Recreate("B", 800);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  story.RemoveQuery("orders");
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
}

TEST_F(RecreationMemory, TheQueryIsOutOfSightBecauseDiscoveryWasIncomplete) {
  Recreate("B", 800);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  story.RemoveQuery("orders");
  story.discovery_complete = false;
  story.discovery_problems = {"/data/checkpoints/{job}: permission denied"};
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated")) << "kept: nobody has looked";
}

TEST_F(RecreationMemory, ASecondQueryReadsTheSameTopic_EachIsJudgedByItself) {
  story.query("second").Batch({{"t", {{0, 500}}}});
  story.Poll();
  Recreate("B", 800);
  story.Poll();
  EXPECT_THAT(Firing(story.report), ElementsAre("topic_recreated", "topic_recreated"));
  story.query("second").Batch({{"t", {{0, 800}}}});
  EXPECT_THAT(Firing(story.Poll()), UnorderedElementsAre("topic_recreated", "records_skipped"));
  EXPECT_EQ(The(story.report, "topic_recreated").key.query, "orders");
  EXPECT_EQ(The(story.report, "records_skipped").key.query, "second");
}

TEST_F(RecreationMemory, AQueryAddedLaterWhoseBatchIsFromTheTimeOfTheOldTopic) {
  story.query("later").Batch({{"t", {{0, 400}}}});
  story.RemoveQuery("later");
  story.kafka.HideStamps();
  story.query("later").Batch({{"t", {{0, 400}}}});
  story.unreadable["later"] = {ErrorKind::kDenied, "permission denied"};
  story.Poll();
  Recreate("B", 800);
  story.Poll();
  story.unreadable.clear();
  story.Poll();
  std::vector<std::string> recreated;
  for (const auto& finding : story.report.findings) recreated.push_back(finding.finding.key.query);
  EXPECT_THAT(recreated, UnorderedElementsAre("orders", "later"));
}

}  // namespace
}  // namespace tidegauge::testing
