// Records that retention took before they were read: public cases, with their numbers. Where a
// source gives none the number is made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

// https://github.com/mozilla/telemetry-streaming/issues/25
TEST(Retention, JobIsDownAndRetentionPassesTheCheckpoint_TheLossIsCountedInTheFirstPoll) {
  Scenario story;
  story.kafka.Set("telemetry", "A", {{86, {7800000, 7950000}}});
  story.query().Batch({{"telemetry", {{86, 7881614}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());

  story.kafka.Expire("telemetry", 86, 7900000);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
  const Finding found = The(story.report, "records_expired");
  EXPECT_EQ(found.records, 18386);
  EXPECT_EQ(found.records_bound, Bound::kAtMost) << "offsets need not all have been records";
}

// learn.microsoft.com, Azure Databricks knowledge base: kafka-client-term-offsetoutofrange,
// cause 1.
TEST(Retention, JobStoppedOnFriday_IsWarnedAboutHoursBeforeTheRecordsAreGone) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 9000}}});
  story.query().Batch({{"t", {{0, 1000}}}});
  story.Poll();
  Offset log_start = 0;
  // Retention advances 120 records an hour: after an hour there are 7.3 hours left.
  for (int minutes = 0; minutes < 60; minutes += 5) {
    log_start += 10;
    story.kafka.Expire("t", 0, log_start);
    story.Poll(5min);
  }
  EXPECT_THAT(story.report.findings, IsEmpty());

  while (log_start < 500) {
    log_start += 10;
    story.kafka.Expire("t", 0, log_start);
    story.Poll(5min);
  }
  EXPECT_THAT(Firing(story.report), ElementsAre("retention_headroom_low"));
  const auto left = *The(story.report, "retention_headroom_low").expected_at - story.now;
  EXPECT_GT(left, 4h);
  EXPECT_LT(left, 4h + 20min) << "500 records at 120 an hour";

  story.kafka.Expire("t", 0, 4000);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
  EXPECT_EQ(The(story.report, "records_expired").records, 3000);
}

// https://github.com/apache/spark/pull/31089 (documentation note)
TEST(Retention, SlowQueryWithFailOnDataLossFalse_StarvesButTheFindingStays) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {1000, 50000}}});
  Offset position = 900;
  Offset log_start = 1000;
  for (int poll = 0; poll < 20; ++poll) {
    story.query().Batch({{"t", {{0, position}}}});
    story.kafka.Expire("t", 0, log_start);
    story.Poll();
    ASSERT_THAT(Firing(story.report), ElementsAre("records_expired")) << "poll " << poll;
    position += 100;
    log_start += 1000;
  }
  EXPECT_EQ(story.report.findings_total.at("records_expired"), 1u) << "one finding, not twenty";
}

// https://github.com/Azure/azure-event-hubs-spark/issues/488
TEST(Retention, EventHubsLooksLikeKafka_AndItsExpiredSequenceNumbersAreFound) {
  Scenario story;
  story.kafka.Set("hub", "", {{30, {19684804, 20231767}}});
  story.kafka.HideStamps();
  story.query().Batch({{"hub", {{30, 19609525}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
  EXPECT_EQ(The(story.report, "records_expired").records, 75279);
}

// https://github.com/ClickHouse/clickhouse-kafka-connect/issues/511
TEST(Retention, OutOfRangeBeforeTheRestart_IsFound_AndResolvesWhenTheQueryJumps) {
  Scenario story;
  story.kafka.Set("topic1", "A", {{11, {4076500, 4076804}}});
  story.query().Batch({{"topic1", {{11, 4076378}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
  EXPECT_EQ(The(story.report, "records_expired").records, 122);

  story.query().Batch({{"topic1", {{11, 4076804}}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  EXPECT_EQ(story.ledger.findings.begin()->second.phase, Phase::kResolved);
}

// https://www.databricksters.com/p/beating-kafkas-clock-the-zero-data
TEST(Retention, CheckpointDeletedOnPurpose_IsUnknownAndNotFine) {
  Scenario story;
  story.kafka.Set("users", "A", {{0, {3, 6}}});
  story.query().Batch({{"users", {{0, 4}}}});
  story.Poll();
  EXPECT_EQ(QueryOf(story.report).state, QueryState::kOk);

  story.query().RemoveAll();
  story.Poll();
  EXPECT_EQ(QueryOf(story.report).state, QueryState::kUnknown);
  EXPECT_FALSE(QueryOf(story.report).checkpoint_up);
}

// A crash loop looks healthy by its newest file: position 10, log start 15, newest file 20.
TEST(Retention, CrashLoopOnExpiredRecords_IsJudgedByTheBatchBeforeTheNewestFile) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {15, 20}}});
  story.query().Batch({{"t", {{0, 10}}}});
  story.query().Plan({{"t", {{0, 20}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
  const Finding found = The(story.report, "records_expired");
  EXPECT_EQ(found.records, 5);
  EXPECT_EQ(found.batch, 1) << "the batch that fails";
}

// Spark: "Added partition t-2 starts from 2 instead of 0".
TEST(Retention, NewPartitionLostItsFirstRecordsBeforeTheQuerySawIt) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 10}}});
  story.query().Batch({{"t", {{0, 10}}}});
  story.Poll();
  story.kafka.AddPartitions("t", 1);
  story.kafka.Produce("t", 1, 5);
  story.kafka.Expire("t", 1, 2);
  story.Poll();
  EXPECT_THAT(Pending(story.report), ElementsAre("new_partition_not_from_start"));
  story.PollFor(1min);
  EXPECT_THAT(Firing(story.report), ElementsAre("new_partition_not_from_start"));
  const Finding found = The(story.report, "new_partition_not_from_start");
  EXPECT_EQ(found.records, 2);
  EXPECT_EQ(found.partitions.at(0).partition, 1);
}

}  // namespace
}  // namespace tidegauge::testing
