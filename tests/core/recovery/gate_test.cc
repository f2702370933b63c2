#include "core/recovery/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// orders, read by one query that has committed batch 5 at 500 of 500.
class GateTest : public ::testing::Test {
 protected:
  GateTest() {
    report.queries = {{.query = "q",
                       .kafka_cluster = "main",
                       .state = QueryState::kOk,
                       .checkpoint_up = true,
                       .newest_batch = 5,
                       .committed_batch = 5,
                       .topics = {{.topic = "orders",
                                   .presence = TopicPresence::kPresent,
                                   .partitions = {{0, 500, 0, 500}}}}}};
  }

  Gate GateOf(GateStep step) { return {step, "main", "orders", {}}; }
  GateAnswer After(GateStep step) {
    Gate gate = GateOf(step);
    gate.Take(report);
    return gate.Take(report);
  }
  QueryReport& query() { return report.queries.front(); }
  TopicReport& topic() { return query().topics.front(); }
  PartitionReport& partition() { return topic().partitions.front(); }
  void Found(const std::string& kind, const std::string& direction) {
    report.findings.push_back({.finding = {.key = {.kind = kind, .query = "q", .topic = "orders"},
                                           .direction = direction,
                                           .summary = "says why"}});
  }

  Report report;
};

TEST_F(GateTest, DrainedTakesTwoPollsWithTheSameEnd) {
  Gate gate = GateOf(GateStep::kDrained);
  EXPECT_EQ(gate.Take(report).state, GateState::kWaiting);
  EXPECT_EQ(gate.Take(report), GateAnswer{});
}

TEST_F(GateTest, DrainedWaitsWhileProducersStillWrite) {
  Gate gate = GateOf(GateStep::kDrained);
  for (Offset end = 500; end < 510; ++end) {
    partition() = {0, end, 0, end};
    EXPECT_EQ(gate.Take(report).state, GateState::kWaiting);
  }
}

TEST_F(GateTest, DrainedWaitsForTheLastRecord) {
  partition().log_end = 501;
  const GateAnswer answer = After(GateStep::kDrained);
  EXPECT_EQ(answer.state, GateState::kWaiting);
  EXPECT_THAT(answer.reasons, ElementsAre("q: 1 records of partition 0 are not read yet"));
}

TEST_F(GateTest, DrainedWaitsForTheCommit) {
  query().newest_batch = 6;
  EXPECT_THAT(After(GateStep::kDrained).reasons, ElementsAre("q: batch 6 is not committed yet"));
}

TEST_F(GateTest, DrainedWaitsForAPartitionThatNobodyHasReadYet) {
  topic().partitions.push_back({1, {}, 0, 7});
  EXPECT_EQ(After(GateStep::kDrained).state, GateState::kWaiting);
  topic().partitions.back().log_end = 0;
  EXPECT_EQ(After(GateStep::kDrained).state, GateState::kReached);
}

TEST_F(GateTest, DrainedIsRefusedOnceTheTopicIsAnotherOrGone) {
  partition().log_end = 300;
  EXPECT_EQ(After(GateStep::kDrained).state, GateState::kRefused);
  partition().log_end = 500;
  Found("topic_recreated", "equal");
  EXPECT_EQ(After(GateStep::kDrained).state, GateState::kRefused);
  report.findings[0].gone_since = report.polled_at;
  EXPECT_NE(After(GateStep::kDrained).state, GateState::kRefused) << "it only fires on";
  report.findings.clear();
  topic() = {.topic = "orders", .presence = TopicPresence::kMissing};
  EXPECT_EQ(After(GateStep::kDrained).state, GateState::kRefused);
}

TEST_F(GateTest, WhatCannotBeReadIsUnknownAtEachStep) {
  for (const GateStep step : {GateStep::kDrained, GateStep::kRecreated, GateStep::kRebased}) {
    partition() = {0, 0, 0, 0};
    EXPECT_EQ(After(step).state, GateState::kReached);
    report.queries.push_back({.query = "r", .kafka_cluster = "main", .unknown = {"denied"}});
    EXPECT_EQ(After(step).state, GateState::kUnknown);
    report.queries.pop_back();
    report.unknown = {"/data/checkpoints: no answer"};
    EXPECT_EQ(After(step).state, GateState::kUnknown);
    report.unknown.clear();
    partition().log_end.reset();
    EXPECT_EQ(After(step).state, GateState::kUnknown);
    topic().presence = TopicPresence::kUnknown;
    EXPECT_EQ(After(step).state, GateState::kUnknown);
    topic().presence = TopicPresence::kPresent;
  }
}

TEST_F(GateTest, AQueryOfAnotherClusterOrTopicDoesNotCount) {
  report.queries.push_back({.query = "r", .kafka_cluster = "other", .unknown = {"denied"}});
  report.queries.push_back({.query = "s", .kafka_cluster = "main", .checkpoint_up = true});
  EXPECT_EQ(After(GateStep::kDrained).state, GateState::kReached);
}

TEST_F(GateTest, OnlyTheQueriesAskedForCount) {
  report.queries.push_back({.query = "r", .kafka_cluster = "main", .unknown = {"denied"}});
  Gate gate(GateStep::kDrained, "main", "orders", {"q"});
  gate.Take(report);
  EXPECT_EQ(gate.Take(report).state, GateState::kReached);
}

TEST_F(GateTest, AQueryThatIsNotThereIsRefused) {
  Gate absent(GateStep::kDrained, "main", "orders", {"q", "typo"});
  const GateAnswer answer = absent.Take(report);
  EXPECT_EQ(answer.state, GateState::kRefused);
  EXPECT_THAT(answer.reasons, ElementsAre(HasSubstr("there is no query typo")));
  Gate nobody(GateStep::kDrained, "main", "tpyo", {});
  EXPECT_EQ(nobody.Take(report).state, GateState::kRefused);
}

TEST_F(GateTest, RecreatedIsWaitedForWhileTheOldTopicIsThereOrNone) {
  EXPECT_EQ(After(GateStep::kRecreated).state, GateState::kWaiting);
  topic() = {.topic = "orders", .presence = TopicPresence::kMissing};
  EXPECT_EQ(After(GateStep::kRecreated).state, GateState::kWaiting);
}

TEST_F(GateTest, RecreatedIsReachedWhenTheNewTopicIsEmpty) {
  partition().log_end = 0;
  Found("topic_recreated", "empty");
  EXPECT_EQ(After(GateStep::kRecreated), GateAnswer{});
}

TEST_F(GateTest, RecreatedIsRefusedWhenRecordsCameTooEarly) {
  partition().log_end = 1;
  EXPECT_EQ(After(GateStep::kRecreated).state, GateState::kRefused);
  partition().log_end = 500;
  Found("topic_recreated", "equal");
  EXPECT_EQ(After(GateStep::kRecreated).state, GateState::kRefused);
}

TEST_F(GateTest, RecreatedIsUnknownWhileAPartitionOfTheNewTopicHasNoLeaderYet) {
  partition().log_end.reset();
  Found("topic_recreated", "");
  EXPECT_EQ(After(GateStep::kRecreated).state, GateState::kUnknown);
}

TEST_F(GateTest, RecreatedIsRefusedWithFewerPartitions) {
  partition().log_end = 0;
  Found("partition_missing", "");
  EXPECT_EQ(After(GateStep::kRecreated).state, GateState::kRefused);
}

TEST_F(GateTest, RebasedWaitsForTheQueryAndSaysWhatItNeeds) {
  partition().log_end = 0;
  Found("topic_recreated", "empty");
  const GateAnswer answer = After(GateStep::kRebased);
  EXPECT_EQ(answer.state, GateState::kWaiting);
  EXPECT_THAT(answer.reasons, ElementsAre(HasSubstr("failOnDataLoss=false")));
}

TEST_F(GateTest, RebasedWaitsForTheCommit) {
  partition() = {0, 0, 0, 0};
  query().newest_batch = 6;
  EXPECT_EQ(After(GateStep::kRebased).state, GateState::kWaiting);
  query().committed_batch = 6;
  EXPECT_EQ(After(GateStep::kRebased), GateAnswer{});
}

TEST_F(GateTest, RebasedIsRefusedWhenRecordsCameBeforeTheQuery) {
  partition().log_end = 20;
  const GateAnswer answer = After(GateStep::kRebased);
  EXPECT_EQ(answer.state, GateState::kRefused);
  EXPECT_THAT(answer.reasons, ElementsAre(HasSubstr("written too early")));
}

TEST_F(GateTest, RebasedIsReachedAtTheLogStartThoughRecordsHaveComeSince) {
  partition() = {0, 0, 0, 20};
  EXPECT_EQ(After(GateStep::kRebased), GateAnswer{});
}

}  // namespace
}  // namespace tidegauge
