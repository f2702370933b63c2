// What somebody has seen may rest; what is new fires anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

class AcknowledgedSkip : public ::testing::Test {
 protected:
  AcknowledgedSkip() {
    story.kafka.Set("t", "A", {{0, {0, 500}}});
    story.query().Batch({{"t", {{0, 500}}}});
    story.Poll();
    SkipAgain("B", 800);
  }

  /// The topic is recreated with `end` records, and the query goes on as if nothing had happened.
  void SkipAgain(const std::string& id, Offset end) {
    story.kafka.Set("t", id, {{0, {0, end}}});
    story.Poll();
    story.query().Batch({{"t", {{0, end}}}});
    story.Poll();
  }

  Scenario story;
};

TEST_F(AcknowledgedSkip, Rests_AlsoOverARestart) {
  EXPECT_THAT(Firing(story.report), ElementsAre("records_skipped"));
  story.Acknowledge("records_skipped", "orders", "t");
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  story.RestartDaemon();
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
}

TEST_F(AcknowledgedSkip, ANewEventFiresAnew_WithTheNewRecordsAlone) {
  story.Acknowledge("records_skipped", "orders", "t");
  story.Poll();
  SkipAgain("C", 900);
  EXPECT_THAT(Firing(story.report), ElementsAre("records_skipped"));
  EXPECT_EQ(The(story.report, "records_skipped").records, 800);
  EXPECT_EQ(story.report.findings_total.at("records_skipped"), 2u);
}

TEST_F(AcknowledgedSkip, AnAcknowledgementForAnotherTopicOrQueryCoversNothing) {
  story.Acknowledge("records_skipped", "orders", "u");
  story.Acknowledge("records_skipped", "clicks", "t");
  story.Acknowledge("topic_recreated", "orders", "t");
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("records_skipped"));
}

TEST_F(AcknowledgedSkip, AFallThatStaysInTheRetainedBatchesIsNotFoundAgain) {
  story.Acknowledge("records_skipped", "orders", "t");
  story.Wait(1s);
  story.kafka.Set("t", "C", {{0, {0, 300}}});
  story.query().Batch({{"t", {{0, 300}}}});
  story.Poll();
  EXPECT_THAT(Firing(story.report), ElementsAre("records_skipped"));
  story.Acknowledge("records_skipped", "orders", "t");
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  story.ledger.bindings.clear();
  story.RestartDaemon();
  EXPECT_THAT(Firing(story.Poll()), IsEmpty()) << "offsets/2 still shows it";
}

class ChangedCluster : public ::testing::Test {
 protected:
  ChangedCluster() {
    story.kafka.Set("t", "A", {{0, {0, 500}}});
    story.query().Batch({{"t", {{0, 500}}}});
    story.Poll();
    story.kafka.SetClusterId("lab-2");
    story.kafka.Set("t", "X", {{0, {0, 900}}});
    story.Poll();
  }

  Scenario story;
};

TEST_F(ChangedCluster, AcknowledgedAndCorrected_IsOver) {
  EXPECT_THAT(Firing(story.report), UnorderedElementsAre("cluster_changed", "topic_recreated"));
  story.query().Edit(0, {{"t", {{0, 120}}}});
  story.Acknowledge("cluster_changed", "orders", "");
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
  story.RestartDaemon();
  EXPECT_THAT(Firing(story.Poll()), IsEmpty()) << "the new cluster is the right one now";
}

TEST_F(ChangedCluster, AcknowledgedButNotCorrected_TheOffsetsAreStillOfTheOldOne) {
  story.Acknowledge("cluster_changed", "orders", "");
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
}

TEST_F(ChangedCluster, TheQueryRunsOnThere_NoRecordsAreSaidToBePassedOver) {
  story.query().Batch({{"t", {{0, 900}}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("cluster_changed"));
  EXPECT_THAT(story.ledger.skips, IsEmpty());
}

TEST_F(ChangedCluster, ItChangesOnceMoreAfterTheAcknowledgement) {
  story.Acknowledge("cluster_changed", "orders", "");
  story.Poll();
  story.kafka.SetClusterId("lab-3");
  story.Poll();
  EXPECT_THAT(Firing(story.Poll()), UnorderedElementsAre("cluster_changed", "topic_recreated"));
  story.PollFor(5min);
  EXPECT_THAT(Firing(story.report), UnorderedElementsAre("cluster_changed", "topic_recreated"));
}

TEST_F(ChangedCluster, AcknowledgedWhileTheClusterIsDown_TheNextIdSeenIsTheRightOne) {
  story.kafka.Down();
  story.Acknowledge("cluster_changed", "orders", "");
  story.Poll();
  EXPECT_THAT(Firing(story.report), UnorderedElementsAre("cluster_changed", "topic_recreated"))
      << "nothing was seen that ends it";
  story.kafka.Up();
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated"));
}

TEST_F(ChangedCluster, DnsPointsBackToTheOldCluster_IsOverByItself) {
  story.kafka.SetClusterId("lab-1");
  story.kafka.Set("t", "A", {{0, {0, 500}}});
  EXPECT_THAT(Firing(story.Poll()), IsEmpty());
}

}  // namespace
}  // namespace tidegauge::testing
