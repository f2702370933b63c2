#include <gmock/gmock.h>

#include "tests/detectors/judge_log.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SinkLogMissing : public JudgeLog {
 protected:
  SinkLogMissing() : JudgeLog("sink_log_missing") {}
};

TEST_F(SinkLogMissing, IsQuietWhileThereIsALog) {
  Range(0, 1);
  Committed(1);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogMissing, IsQuietBeforeAnythingIsCommitted) {
  story_.storage.MakeDirectory(kOut);
  EXPECT_THAT(CheckLogs(), IsEmpty());
  Planned(0);
  EXPECT_THAT(CheckLogs(), IsEmpty()) << "the first batch is in flight";
}

TEST_F(SinkLogMissing, ADeletedLogIsMissing) {
  story_.storage.MakeDirectory(kOut);
  Committed(0);
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_EQ(found.key.log, "sink");
  EXPECT_EQ(found.key.kafka_cluster, "") << "Kafka has no part in it";
  EXPECT_THAT(found.summary, HasSubstr("/out/orders/_spark_metadata is gone"));
}

TEST_F(SinkLogMissing, AnEmptyDirectoryReadsAsNoRows) {
  Files({".4.crc", ".4.tmp"});
  Committed(4);
  EXPECT_THAT(FoundInLogs().summary, HasSubstr("is empty: readers through Spark see no rows"));
}

TEST_F(SinkLogMissing, WhereTheWholeOutputIsGoneItMayNotBeMounted) {
  Committed(4);
  EXPECT_THAT(FoundInLogs().summary, HasSubstr("not mounted here"));
}

TEST_F(SinkLogMissing, WhatCannotBeReadIsNotMissing) {
  Committed(4);
  Unreadable();
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogMissing, AQueryWithoutASinkHasNoSuchRule) {
  BeginStory();
  story_.sinks.clear();
  story_.query().Batch({{"t", {{0, 5}}}});
  EXPECT_THAT(Firing(story_.Poll()), IsEmpty());
  EXPECT_THAT(QueryOf(story_.report).logs, IsEmpty());
}

TEST_F(SinkLogMissing, StaysWhileTheLogCannotBeRead_AndOverARestart) {
  BeginStory();
  RunTo(3);
  EXPECT_FALSE(Fires(story_.Poll()));
  story_.storage.Remove(kLogDirectory);
  EXPECT_TRUE(Fires(story_.Poll()));
  Unreadable();
  EXPECT_TRUE(Fires(story_.Poll())) << "unknown is not over";
  EXPECT_EQ(QueryOf(story_.report).unknown.size(), 1u);
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.storage.ClearFaults();
  Range(0, 3);
  EXPECT_FALSE(Fires(story_.Poll())) << "it was put back";
  EXPECT_THAT(QueryOf(story_.report).unknown, IsEmpty());
}

}  // namespace
}  // namespace tidegauge::testing
