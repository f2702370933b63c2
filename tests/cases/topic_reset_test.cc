// Topics that were deleted, recreated, shrunk or moved under a query: what happened to people, as
// far as it is public, with their numbers. Where a source gives none the number is made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

// https://dev.to/kevinwallimann/how-to-recover-from-a-kafka-topic-reset-in-spark-structured-streaming-3phd
TEST(TopicReset, RecreatedWithFewerRecordsThanBefore_IsFoundBeforeTheNextRunFails) {
  Scenario story;
  story.kafka.Set("test-topic", "A", {{0, {0, 500}}});
  story.query().Batch({{"test-topic", {{0, 500}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());

  story.kafka.Set("test-topic", "B", {{0, {0, 300}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  const Finding found = The(story.report, "topic_recreated");
  EXPECT_EQ(found.direction, "below");
  EXPECT_THAT(found.evidence, ElementsAre("topic_id"));
  EXPECT_EQ(found.confidence, Confidence::kCertain);
  EXPECT_EQ(found.records, 300) << "with failOnDataLoss=false all 300 are passed over";
}

TEST(TopicReset, RecreatedWithFewerRecords_WithoutIdsOrMemory_EndsBelowTheCheckpoint) {
  Scenario story;
  story.kafka.Set("test-topic", "", {{0, {0, 300}}});
  story.kafka.HideStamps();
  story.query().Batch({{"test-topic", {{0, 500}}}});

  story.Poll();
  EXPECT_THAT(Firing(story.report), IsEmpty()) << "one answer is no news";
  EXPECT_THAT(Pending(story.report), ElementsAre("end_below_checkpoint"));
  story.PollFor(1min);
  EXPECT_THAT(Firing(story.report), ElementsAre("end_below_checkpoint"));
  EXPECT_EQ(The(story.report, "end_below_checkpoint").records, 200);
}

// The same post, second scenario.
TEST(TopicReset, RecreatedWithMoreRecordsThanBefore_IsFoundThoughLagLooksHealthy) {
  Scenario story;
  story.kafka.Set("test-topic", "A", {{0, {0, 500}}});
  story.query().Batch({{"test-topic", {{0, 500}}}});
  story.Poll();

  story.kafka.Set("test-topic", "B", {{0, {0, 800}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  const Finding found = The(story.report, "topic_recreated");
  EXPECT_EQ(found.direction, "above");
  EXPECT_EQ(found.records, 500);
  EXPECT_EQ(found.records_bound, Bound::kExact);
}

TEST(TopicReset, RecreatedWithMoreRecords_WithoutIds_IsFoundIfAPollSawTheTopicWhileItWasSmall) {
  Scenario story;
  story.kafka.Set("test-topic", "", {{0, {0, 500}}});
  story.query().Batch({{"test-topic", {{0, 500}}}});
  story.Poll();
  story.kafka.Set("test-topic", "", {{0, {0, 40}}});
  story.Poll();
  story.kafka.Set("test-topic", "", {{0, {0, 90}}});
  story.Poll();
  story.kafka.Set("test-topic", "", {{0, {0, 800}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  const Finding found = The(story.report, "topic_recreated");
  EXPECT_EQ(found.direction, "above");
  EXPECT_THAT(found.evidence, ElementsAre("regression"));
  EXPECT_EQ(found.confidence, Confidence::kLikely);
  EXPECT_EQ(found.records, 500);
}

// Notes in a public repository of a hobby pipeline: 383 to 28, and all checkpoints were wiped.
TEST(TopicReset, OneOfTwoTopicsOfAQueryIsRecreated_OnlyThatOneIsNamed) {
  Scenario story;
  story.kafka.Set("lol_matches-2", "A", {{0, {0, 383}}});
  story.kafka.Set("lol_players", "P", {{0, {0, 77}}});
  const auto line = OffsetLine({{"lol_matches-2", {{0, 383}}}});
  story.query().BatchOfLines({line, OffsetLine({{"lol_players", {{0, 77}}}})});
  story.Poll();

  story.kafka.Set("lol_matches-2", "B", {{0, {0, 28}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").key.topic, "lol_matches-2");
  EXPECT_EQ(The(story.report, "topic_recreated").partitions.front().log_end, 28);
}

// A benchmark that reuses its topic's name.
TEST(TopicReset, RecreatedAndFilledToTheSameEnd_AllOfItIsUnread) {
  Scenario story;
  story.kafka.Set("bench", "A", {{0, {0, 100000}}});
  story.query().SetNext(3);
  story.query().Batch({{"bench", {{0, 100000}}}});
  story.Poll();

  story.kafka.Set("bench", "B", {{0, {0, 100000}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  const Finding found = The(story.report, "topic_recreated");
  EXPECT_EQ(found.direction, "equal");
  EXPECT_EQ(found.records, 100000);
}

// https://github.com/apache/spark/pull/15102, https://github.com/apache/spark/pull/31089
TEST(TopicReset, TopicDeletedAndNotRecreated_IsMissing_ThenDroppedFromTheCheckpoint) {
  Scenario story;
  story.kafka.Set("a", "A", {{0, {0, 10}}, {1, {0, 12}}});
  story.kafka.Set("b", "B", {{0, {0, 7}}});
  story.query().SetNext(9);
  story.query().Batch({{"a", {{0, 10}, {1, 12}}}, {"b", {{0, 7}}}});
  story.Poll();

  story.kafka.Delete("a");
  story.Poll();
  EXPECT_THAT(Pending(story.report), ElementsAre("topic_missing")) << "not at one answer";
  story.PollFor(1min);
  EXPECT_THAT(Firing(story.report), ElementsAre("topic_missing"));
  EXPECT_EQ(The(story.report, "topic_missing").key.topic, "a");

  story.query().Batch({{"b", {{0, 7}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("partition_dropped"));
  const Finding dropped = The(story.report, "partition_dropped");
  EXPECT_EQ(dropped.severity, Severity::kWarning);
  EXPECT_EQ(dropped.batch, 10);
  EXPECT_EQ(dropped.partitions.size(), 2u);
}

// https://github.com/apache/spark/pull/15102
TEST(TopicReset, RecreatedWithFewerPartitions_TheMissingOnesAreNamedToo) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 5}}, {1, {0, 5}}, {2, {0, 5}}, {3, {0, 5}}});
  story.query().SetNext(20);
  story.query().Batch({{"t", {{0, 5}, {1, 5}, {2, 5}, {3, 5}}}});
  story.Poll();

  story.kafka.Set("t", "B", {{0, {0, 5}}, {1, {0, 5}}});
  story.Poll();
  story.PollFor(1min);
  EXPECT_THAT(Firing(story.report), UnorderedElementsAre("partition_missing", "topic_recreated"));
  const Finding missing = The(story.report, "partition_missing");
  ASSERT_EQ(missing.partitions.size(), 2u);
  EXPECT_EQ(missing.partitions[0].partition, 2);
  EXPECT_EQ(missing.partitions[1].partition, 3);
}

// https://github.com/apache/druid/issues/11658
TEST(TopicReset, BootstrapServersAnswerAsAnotherCluster_OffsetsMeanNothingThere) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {8000000, 9000000}}});
  story.query().Batch({{"t", {{0, 9000000}}}});
  story.Poll();

  story.kafka.SetClusterId("lab-2");
  story.kafka.Set("t", "X", {{0, {0, 1200}}});
  EXPECT_THAT(Firing(story.Poll()), UnorderedElementsAre("cluster_changed", "topic_recreated"))
      << "and no flood of findings about single partitions";
  EXPECT_THAT(The(story.report, "topic_recreated").evidence, ElementsAre("cluster_id", "topic_id"));
}

// https://github.com/apache/pinot/issues/6555
TEST(TopicReset, MovedToAMirrorWhereTheOffsetIsInRangeByChance_IsFoundThoughLagIsPlausible) {
  Scenario story;
  story.kafka.Set("orders", "A", {{3, {10000000, 10500000}}});
  story.query().Batch({{"orders", {{3, 10500000}}}});
  story.Poll();

  story.kafka.SetClusterId("target");
  story.kafka.Set("orders", "M", {{3, {0, 10650000}}});
  story.Poll();
  story.PollFor(10min);
  EXPECT_THAT(Firing(story.report), UnorderedElementsAre("cluster_changed", "topic_recreated"));
}

// https://github.com/apache/spark/pull/23324 (SPARK-26267, KAFKA-7703)
TEST(TopicReset, BrokerGivesTheEarliestOffsetForTheLatest_Once_IsAskedAgainAndIsNoNews) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {1000, 5000}}});
  story.query().Batch({{"t", {{0, 5000}}}});
  story.Poll();

  story.kafka.Set("t", "A", {{0, {1000, 5003}}});
  story.kafka.AnswerOddly(
      [](ClusterAnswer& answer) { answer.topics.at("t").partitions.at(0).log_end = 1000; });
  const auto asked_before = story.questions_asked;
  story.Poll();
  EXPECT_EQ(story.questions_asked - asked_before, 2u) << "asked again in the same poll";
  EXPECT_THAT(story.report.findings, IsEmpty());
  EXPECT_EQ(QueryOf(story.report).topics.at(0).partitions.at(0).log_end, 5003);
}

// https://github.com/apache/spark/pull/38898 (SPARK-41375)
TEST(TopicReset, ABatchWithoutASinglePartition_ForetellsThatAllIsReadTwice) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 100}}, {1, {0, 90}}});
  story.query().SetNext(30);
  story.query().Batch({{"t", {{0, 100}, {1, 90}}}});
  story.Poll();

  story.query().Batch({});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("source_offsets_empty"));
  const Finding found = The(story.report, "source_offsets_empty");
  EXPECT_EQ(found.batch, 31);
  EXPECT_EQ(found.records, 190);

  story.query().Batch({{"t", {{0, 105}, {1, 95}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("source_offsets_empty")) << "it happens now";
  story.query().Batch({{"t", {{0, 106}, {1, 95}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
}

// https://github.com/apache/spark/pull/52327 (SPARK-53560)
TEST(TopicReset, PartitionsAddedWhileABatchIsInFlight_AreNoLoss) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 10}}, {1, {0, 10}}});
  story.query().SetNext(4);
  story.query().Batch({{"t", {{0, 8}, {1, 9}}}});
  story.query().Plan({{"t", {{0, 10}, {1, 10}}}});
  story.Poll();

  story.kafka.AddPartitions("t", 1);
  story.Poll();
  story.PollFor(10min);
  EXPECT_THAT(story.report.findings, IsEmpty());
  EXPECT_EQ(QueryOf(story.report).state, QueryState::kOk);
}

// https://github.com/apache/kafka/pull/22248
TEST(TopicReset, RecreatedWhileOurDaemonWasDown_IsFoundFromWhatItRemembers) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 2000}}});
  story.query().Batch({{"t", {{0, 2000}}}});
  story.Poll();

  story.Wait(3h);
  story.kafka.Set("t", "B", {{0, {0, 3500}}});
  story.RestartDaemon();
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").records, 2000);
}

TEST(TopicReset, RecreatedWhileOurDaemonWasDown_AndItsMemoryWasLost_TheBaselineSaysSinceWhen) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 2000}}});
  story.query().Batch({{"t", {{0, 2000}}}});
  story.Poll();
  story.Wait(3h);
  story.kafka.Set("t", "B", {{0, {0, 3500}}});
  story.kafka.HideStamps();
  story.ForgetEverything();

  story.Poll();
  EXPECT_TRUE(story.report.first_sight);
  EXPECT_EQ(QueryOf(story.report).baseline_at, story.now) << "known only since now";
}

// A public pipeline that recreates its topic every day and keeps the checkpoint,
// failOnDataLoss=false.
TEST(TopicReset, RecreatedEveryDayOnPurpose_EachDayIsFoundAndEachLossIsCounted) {
  Scenario story;
  story.kafka.Set("listings", "day1", {{0, {0, 400}}});
  story.query().Batch({{"listings", {{0, 400}}}});
  story.Poll();

  story.Wait(24h);
  story.kafka.Set("listings", "day2", {{0, {0, 350}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").direction, "below");
  story.query().Batch({{"listings", {{0, 350}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(The(story.report, "records_skipped").records, 350);

  story.Wait(24h);
  story.kafka.Set("listings", "day3", {{0, {0, 520}}});
  story.Poll();
  EXPECT_THAT(Firing(story.report), UnorderedElementsAre("records_skipped", "topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").direction, "above");
  EXPECT_EQ(The(story.report, "topic_recreated").records, 350);
  EXPECT_EQ(story.report.findings_total.at("topic_recreated"), 2u) << "anew every day";
  story.query().Batch({{"listings", {{0, 520}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
  EXPECT_EQ(The(story.report, "records_skipped").records, 700) << "both days";
}

TEST(TopicReset, TopicIdsAreNoPartOfAFindingsIdentity_SoAlertsDoNotChurn) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 400}}});
  story.query().Batch({{"t", {{0, 400}}}});
  story.Poll();
  story.kafka.Set("t", "B", {{0, {0, 500}}});
  const auto first = story.Poll().findings.at(0);
  story.kafka.Set("t", "C", {{0, {0, 600}}});
  const auto second = story.Poll().findings.at(0);
  EXPECT_EQ(first.finding.key, second.finding.key);
  EXPECT_EQ(first.firing_since, second.firing_since);
}

// A cron job of a public repository that deletes a topic and creates it again within seconds.
TEST(TopicReset, RecreatedWithinSeconds_IsFoundThoughNoPollSawItMissing) {
  Scenario story;
  story.kafka.Set("X", "A", {{0, {0, 77}}, {1, {0, 80}}});
  story.query().Batch({{"X", {{0, 77}, {1, 80}}}});
  story.Poll();
  story.kafka.Set("X", "B", {{0, {0, 0}}, {1, {0, 3}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated")) << "one, with both partitions";
  EXPECT_EQ(The(story.report, "topic_recreated").partitions.size(), 2u);
}

TEST(TopicReset, RecreatedWithinSeconds_WithoutIds_EndsBelowWhatWasSeen) {
  Scenario story;
  story.kafka.Set("X", "", {{0, {0, 77}}, {1, {0, 80}}});
  story.query().Batch({{"X", {{0, 77}, {1, 80}}}});
  story.Poll();
  story.kafka.Set("X", "", {{0, {0, 2}}, {1, {0, 3}}});
  story.Poll();
  EXPECT_THAT(Firing(story.report), IsEmpty());
  EXPECT_THAT(Pending(story.report), ElementsAre("end_below_checkpoint"));
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated")) << "the second poll confirms";
}

}  // namespace
}  // namespace tidegauge::testing
