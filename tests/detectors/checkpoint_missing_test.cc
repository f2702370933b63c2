#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckpointMissing : public DamageStory {
 protected:
  CheckpointMissing() : DamageStory("checkpoint_missing") {}

  void Acknowledge() {
    story_.ledger.acknowledgements.push_back(
        {.key = {.kind = id_, .query = "orders"}, .at = story_.now});
  }
};

TEST_F(CheckpointMissing, IsQuietWhileItIsThere) {
  Batches(3);
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointMissing, AConfiguredPathThatWasNeverThereIsAWarning) {
  story_.query().RemoveAll();
  EXPECT_TRUE(Fires());
  EXPECT_EQ(The(story_.report, id_).severity, Severity::kWarning);
  EXPECT_THAT(Summary(), HasSubstr("/data/checkpoints/orders is not there"));
  EXPECT_THAT(QueryOf(story_.report).unknown, ::testing::SizeIs(1));
}

TEST_F(CheckpointMissing, ItWasThere_OverARestart) {
  Batches(3);
  story_.Poll();
  story_.RestartDaemon();
  story_.query().RemoveAll();
  EXPECT_TRUE(Fires());
  EXPECT_EQ(The(story_.report, id_).severity, Severity::kCritical);
  EXPECT_EQ(The(story_.report, id_).batch, 3);
  story_.query().StartOver("11111111-0000-0000-0000-000000000000");
  Batches(4);
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointMissing, APatternFindsItNoMore) {
  // https://github.com/astrolabsoftware/fink-broker/issues/902
  Batches(3);
  story_.Poll();
  story_.LoseQuery("orders");
  EXPECT_TRUE(Fires());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kFindings);
}

TEST_F(CheckpointMissing, APatternFindsItNoMore_TheQueryWasRetired) {
  Batches(3);
  story_.Poll();
  story_.LoseQuery("orders");
  EXPECT_TRUE(Fires());
  Acknowledge();
  EXPECT_FALSE(Fires());
  EXPECT_THAT(story_.report.queries, IsEmpty());
}

TEST_F(CheckpointMissing, TheConfigurationStandsForItNoMore) {
  Batches(3);
  story_.Poll();
  story_.RemoveQuery("orders");
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointMissing, ThePatternCouldNotBeListedWhole) {
  Batches(3);
  story_.Poll();
  story_.LoseQuery("orders");
  story_.discovery_complete = false;
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointMissing, AMountThatHangsOrDeniesIsUnknown) {
  Batches(3);
  story_.Poll();
  story_.query().RemoveAll();
  EXPECT_TRUE(Fires());
  for (const ErrorKind kind : {ErrorKind::kUnavailable, ErrorKind::kDenied}) {
    story_.unreadable["orders"] = {kind, "no answer"};
    EXPECT_TRUE(Fires()) << "and ends nothing";
  }
}

TEST_F(CheckpointMissing, AMountThatHangsRaisesNothing) {
  Batches(3);
  story_.Poll();
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "no answer"};
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointMissing, SparkRemovesItsTemporaryCheckpointsItself) {
  // https://kb.databricks.com/streaming/checkpoint-no-cleanup-foreachbatch
  view_.checkpoint = nullptr;
  view_.checkpoint_missing = true;
  view_.remembered.newest_batch = 3;
  EXPECT_EQ(Found().severity, Severity::kCritical);
  view_.path = "/local_disk0/tmp/temporary-4f1c3ad0";
  EXPECT_THAT(Check(), IsEmpty());
}

}  // namespace
}  // namespace tidegauge::testing
