// Queries with several sources and topics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Two sources read t, each as far as it got.
class TwoSourcesOnOneTopic : public ::testing::Test {
 protected:
  TwoSourcesOnOneTopic() {
    story.kafka.Set("t", "A", {{0, {0, 500}}});
    story.query().WriteInitial({{"t", {{0, 0}}}});
    story.storage.Write(story.query().path() + "/sources/1/0",
                        std::string(1, '\0') + "v1\n" + OffsetLine({{"t", {{0, 0}}}}));
    Batch(500, 200);
    story.Poll();
  }

  void Batch(Offset first, Offset second) {
    story.query().BatchOfLines(
        {OffsetLine({{"t", {{0, first}}}}), OffsetLine({{"t", {{0, second}}}})});
  }

  Scenario story;
};

TEST_F(TwoSourcesOnOneTopic, AreJudgedEachByItself) {
  EXPECT_THAT(story.report.findings, IsEmpty());
  EXPECT_THAT(QueryOf(story.report).topics, SizeIs(2));
  story.kafka.Expire("t", 0, 300);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
  EXPECT_EQ(The(story.report, "records_expired").key.source, "1");
  EXPECT_EQ(The(story.report, "records_expired").records, 100);
}

TEST_F(TwoSourcesOnOneTopic, LoseEachItsOwnRecords) {
  story.kafka.Set("t", "B", {{0, {0, 800}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated", "topic_recreated"));
  Batch(800, 800);
  story.Poll();
  ASSERT_THAT(Firing(story.report), ElementsAre("records_skipped", "records_skipped"));
  EXPECT_EQ(story.report.findings[0].finding.records, 500);
  EXPECT_EQ(story.report.findings[1].finding.records, 200);
}

TEST(Sources, TwoQueriesOnTwoTopicsOfOneCluster_OneTopicUnknown_TheOtherIsJudged) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 500}}});
  story.kafka.Set("u", "U", {{0, {0, 500}}});
  story.query("first").Batch({{"t", {{0, 100}}}});
  story.query("second").Batch({{"u", {{0, 100}}}});
  story.Poll();
  story.kafka.Hide("t");
  story.kafka.Expire("u", 0, 200);
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_expired"));
  EXPECT_EQ(QueryOf(story.report, "first").state, QueryState::kUnknown);
  EXPECT_EQ(QueryOf(story.report, "second").state, QueryState::kFindings);
}

TEST(Sources, NothingIsPlannedYet_TheInitialOffsetsAreWhatAStartReadsFrom) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {0, 500}}});
  story.query().WriteInitial({{"t", {{0, 100}}}});
  EXPECT_THAT(story.Poll().findings, IsEmpty());
  EXPECT_EQ(QueryOf(story.report).topics.at(0).partitions.at(0).position, 100);
  story.kafka.Set("t", "B", {{0, {0, 300}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
  EXPECT_EQ(The(story.report, "topic_recreated").batch, std::nullopt);
}

TEST(Sources, NotEvenInitialOffsets_IsUnknownAndNotFine) {
  Scenario story;
  story.query();
  story.Poll();
  EXPECT_EQ(QueryOf(story.report).state, QueryState::kUnknown);
}

}  // namespace
}  // namespace tidegauge::testing
