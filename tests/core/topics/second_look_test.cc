#include "core/topics/second_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::IsEmpty;

class SecondLook : public ::testing::Test {
 protected:
  SecondLook() {
    Checkpoint checkpoint;
    checkpoint.position = {{.topic = "t", .offsets = {{0, 500}}}};
    readings_.queries.push_back(
        {.target = {.query = "orders", .kafka_cluster = "main"},
         .checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint))});
    answers_.insert({"main", {.answer = ClusterAnswer{.cluster_id = "lab"}}});
    Answer() = {.presence = TopicPresence::kPresent, .topic_id = "A"};
    Answer().partitions[0] = {.log_start = 0, .log_end = 800};
  }

  TopicAnswer& Answer() { return answers_.at("main").answer->topics["t"]; }
  bool IsOdd() { return OddAnswers(readings_, answers_, ledger_).contains("main"); }

  Readings readings_;
  Answers answers_;
  Ledger ledger_;
};

TEST_F(SecondLook, WhatAlarmsNobodyIsNotAskedAgain) {
  EXPECT_FALSE(IsOdd());
  Answer().partitions[0] = {.log_start = 500, .log_end = 500};
  EXPECT_FALSE(IsOdd());
  Answer().partitions[0] = {.error = "timed out"};
  EXPECT_FALSE(IsOdd()) << "unknown is unknown";
  Answer() = {.error = "not authorised"};
  EXPECT_FALSE(IsOdd());
}

TEST_F(SecondLook, WhatWouldAlarmIsAskedAgain) {
  Answer().partitions[0].log_end = 499;
  EXPECT_TRUE(IsOdd());
  Answer().partitions[0] = {.log_start = 501, .log_end = 800};
  EXPECT_TRUE(IsOdd());
  Answer().partitions.clear();
  EXPECT_TRUE(IsOdd());
  Answer() = {.presence = TopicPresence::kMissing};
  EXPECT_TRUE(IsOdd());
}

TEST_F(SecondLook, AnEndBelowOneSeenBeforeIsAskedAgain) {
  ledger_.incarnations[{"lab", "t"}] = {{.topic_id = "A", .log_end = {{0, 801}}}};
  EXPECT_TRUE(IsOdd());
  ledger_.incarnations[{"lab", "t"}] = {{.topic_id = "Z", .log_end = {{0, 801}}}};
  EXPECT_FALSE(IsOdd()) << "of another topic";
}

TEST_F(SecondLook, TheSecondAnswerCounts) {
  Answers second;
  second.insert({"main", {.answer = ClusterAnswer{.cluster_id = "lab"}}});
  second.at("main").answer->topics["t"] = {.presence = TopicPresence::kPresent, .topic_id = "B"};
  TakeSecondAnswers(answers_, std::move(second), {{"main", {"t"}}});
  EXPECT_EQ(Answer().topic_id, "B");
}

TEST_F(SecondLook, WithoutASecondAnswerTheTopicIsUnknown) {
  Answers failed;
  failed.insert({"main", {.answer = std::unexpected(Error{ErrorKind::kUnavailable, "timed out"})}});
  TakeSecondAnswers(answers_, std::move(failed), {{"main", {"t"}}});
  EXPECT_EQ(Answer().presence, TopicPresence::kUnknown);
  EXPECT_NE(Answer().error, "");
  EXPECT_THAT(Answer().partitions, IsEmpty());
  TakeSecondAnswers(answers_, Answers{}, {{"main", {"t"}}});
  EXPECT_EQ(Answer().presence, TopicPresence::kUnknown);
}

TEST_F(SecondLook, ACheckpointOrClusterThatIsUnknownAsksNothing) {
  Answer().partitions[0].log_end = 499;
  readings_.queries[0].checkpoint = std::unexpected(Error{ErrorKind::kDenied, "no"});
  EXPECT_FALSE(IsOdd());
}

}  // namespace
}  // namespace tidegauge
