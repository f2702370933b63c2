// What could not be read or asked is unknown: never fine, never zero, and never the end of a
// finding.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class Unanswered : public ::testing::Test {
 protected:
  Unanswered() {
    story.kafka.Set("t", "A", {{0, {0, 500}}, {1, {0, 40}}});
    story.query().Batch({{"t", {{0, 500}, {1, 40}}}});
    story.Poll();
  }

  /// Not fine, and with a reason.
  void ExpectUnknown(const std::string& reason) {
    EXPECT_EQ(QueryOf(story.report).state, QueryState::kUnknown);
    ASSERT_THAT(QueryOf(story.report).unknown, SizeIs(1));
    EXPECT_THAT(QueryOf(story.report).unknown[0], HasSubstr(reason));
  }

  Scenario story;
};

TEST_F(Unanswered, TheClusterIsDown) {
  story.kafka.Down({ErrorKind::kUnavailable, "broker1:9092: connection refused"});
  story.Poll();
  ExpectUnknown("connection refused");
  EXPECT_FALSE(story.report.clusters.at(0).up);
  const auto& partition = QueryOf(story.report).topics.at(0).partitions.at(0);
  EXPECT_EQ(partition.position, 500) << "that much is known";
  EXPECT_EQ(partition.log_end, std::nullopt);
}

TEST_F(Unanswered, TheTopicMayNotBeDescribed) {
  story.kafka.Hide("t");
  story.Poll();
  ExpectUnknown("not authorised");
  EXPECT_THAT(story.report.findings, IsEmpty()) << "and it is not missing";
}

TEST_F(Unanswered, OneOfTwoPartitionsHasNoLeader) {
  story.kafka.HidePartition("t", 1);
  story.Poll();
  ExpectUnknown("1 of 2 partitions");
  story.kafka.Expire("t", 0, 600);
  story.Poll();
  EXPECT_THAT(Firing(story.report), ElementsAre("records_expired")) << "the other one is judged";
  EXPECT_THAT(QueryOf(story.report).unknown, SizeIs(1)) << "and the doubt is still said";
}

TEST_F(Unanswered, TheCheckpointCannotBeRead) {
  story.unreadable["orders"] = {ErrorKind::kDenied, "/data/checkpoints/orders: permission denied"};
  story.Poll();
  ExpectUnknown("permission denied");
  EXPECT_FALSE(QueryOf(story.report).checkpoint_up);
}

TEST_F(Unanswered, TheNewestBatchFileIsEmpty_TheOneBeforeIsJudged) {
  story.storage.Write(story.query().path() + "/offsets/1", "");
  story.kafka.Expire("t", 0, 600);
  story.Poll();
  EXPECT_THAT(Firing(story.report), ElementsAre("records_expired"));
  ASSERT_THAT(QueryOf(story.report).unknown, SizeIs(1));
  EXPECT_THAT(QueryOf(story.report).unknown[0], HasSubstr("offsets/1"));
}

TEST_F(Unanswered, ABatchFileOfANewerSpark) {
  story.storage.Write(story.query().path() + "/offsets/1", "v3\n{}\n");
  story.storage.Write(story.query().path() + "/commits/1", "v1\n{}");
  story.Poll();
  EXPECT_THAT(Firing(story.report), ElementsAre("log_version_unsupported"));
  EXPECT_THAT(QueryOf(story.report).unknown, SizeIs(1));
  EXPECT_THAT(QueryOf(story.report).topics, IsEmpty()) << "no lag, not a lag of 0";
}

TEST_F(Unanswered, TheSourceHasAnEmptyMap_WhatFiresForItsTopicStays) {
  story.kafka.Expire("t", 0, 600);
  story.Poll();
  story.query().Batch({});
  story.Poll();
  EXPECT_THAT(Firing(story.report),
              ::testing::UnorderedElementsAre("records_expired", "source_offsets_empty"));
}

TEST_F(Unanswered, StampsAreNotAnsweredAtFirstSight_NumbersAreStillJudged) {
  story.ForgetEverything();
  story.kafka.HideStamps();
  story.kafka.Expire("t", 0, 600);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
}

TEST_F(Unanswered, TheSecondAnswerIsMissing_SoTheFirstOneIsNotBelieved) {
  story.kafka.Truncate("t", 0, 100);
  story.on_answer = [&](std::size_t, Answers& answers) {
    if (story.questions_asked % 2 == 1) {
      answers.at("main").answer = std::unexpected(Error{ErrorKind::kUnavailable, "timed out"});
    }
  };
  story.Poll();
  EXPECT_THAT(story.report.findings, IsEmpty());
  EXPECT_NE(QueryOf(story.report).state, QueryState::kOk);
}

// ------------------------------------------------------------------ the n-th answer fails

enum class Fault { kWholeCluster, kTopic, kOnePartition, kLogStart, kTopicId, kClusterId, kStamps };

class TheNthAnswer : public ::testing::TestWithParam<Fault> {
 protected:
  static void Spoil(ClusterAnswer& answer, Fault fault) {
    if (fault == Fault::kClusterId) answer.cluster_id.clear();
    for (auto& [name, topic] : answer.topics) {
      if (fault == Fault::kTopic) topic = {.error = "timed out"};
      if (fault == Fault::kTopicId) topic.topic_id.clear();
      if (topic.partitions.empty()) continue;
      auto& partition = topic.partitions.begin()->second;
      if (fault == Fault::kOnePartition) partition = {.error = "timed out"};
      if (fault == Fault::kLogStart) partition.log_start.reset();
    }
  }

  static void Arm(Scenario& story, Fault fault, std::size_t nth) {
    story.on_answer = [fault, nth](std::size_t number, Answers& answers) {
      if (number != nth) return;
      if (fault == Fault::kWholeCluster) {
        answers.at("main").answer = std::unexpected(Error{ErrorKind::kUnavailable, "timed out"});
      } else if (answers.at("main").answer) {
        Spoil(*answers.at("main").answer, fault);
      }
    };
    if (fault == Fault::kStamps) story.on_stamps = [](StampAnswers& stamps) { stamps.clear(); };
  }
};

/// A topic that is recreated at the third poll, read on at the sixth: whichever answer fails, the
/// findings come, nothing else comes, and no poll with a hole in its answers calls it fine.
TEST_P(TheNthAnswer, Fails_NothingIsMissedAndNothingIsCalledFine) {
  for (std::size_t nth = 1; nth <= 14; ++nth) {
    SCOPED_TRACE(fmt::format("answer {}", nth));
    Scenario story;
    Arm(story, GetParam(), nth);
    story.kafka.Set("t", "A", {{0, {0, 500}}, {1, {0, 40}}});
    story.query().Batch({{"t", {{0, 500}, {1, 40}}}});
    for (int poll = 1; poll <= 10; ++poll) {
      if (poll == 3) story.kafka.Set("t", "B", {{0, {0, 800}}, {1, {0, 90}}});
      if (poll == 6) story.query().Batch({{"t", {{0, 800}, {1, 90}}}});
      const std::size_t asked = story.questions_asked;
      story.Poll();
      const bool spoilt = nth > asked && nth <= story.questions_asked;
      const bool hole = spoilt && GetParam() != Fault::kTopicId &&
                        GetParam() != Fault::kClusterId && GetParam() != Fault::kStamps;
      EXPECT_FALSE(hole && QueryOf(story.report).unknown.empty()) << "poll " << poll;
      EXPECT_FALSE(hole && QueryOf(story.report).state == QueryState::kOk) << "poll " << poll;
      for (const std::string& kind : Firing(story.report)) {
        EXPECT_THAT(kind, ::testing::AnyOf("topic_recreated", "records_skipped"));
      }
      if (poll != 5) continue;
      EXPECT_THAT(Firing(story.report), ElementsAre("topic_recreated"));
    }
    EXPECT_THAT(Firing(story.report), ElementsAre("records_skipped"));
    EXPECT_EQ(The(story.report, "records_skipped").records, 540);
    const bool start_unknown =
        nth == 6 && (GetParam() == Fault::kOnePartition || GetParam() == Fault::kLogStart);
    EXPECT_EQ(The(story.report, "records_skipped").records_bound,
              start_unknown ? Bound::kAtMost : Bound::kExact);
  }
}

std::string NameOf(const ::testing::TestParamInfo<Fault>& test) {
  constexpr const char* kNames[] = {"WholeCluster", "Topic",     "OnePartition", "LogStart",
                                    "TopicId",      "ClusterId", "Stamps"};
  return kNames[static_cast<int>(test.param)];
}

INSTANTIATE_TEST_SUITE_P(Faults, TheNthAnswer,
                         ::testing::Values(Fault::kWholeCluster, Fault::kTopic,
                                           Fault::kOnePartition, Fault::kLogStart, Fault::kTopicId,
                                           Fault::kClusterId, Fault::kStamps),
                         NameOf);

}  // namespace
}  // namespace tidegauge::testing
