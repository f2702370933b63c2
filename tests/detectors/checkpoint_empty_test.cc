#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;

class CheckpointEmpty : public DamageStory {
 protected:
  CheckpointEmpty() : DamageStory("checkpoint_empty") {}

  void EmptyIt() {
    story_.query().RemoveAll();
    story_.storage.MakeDirectory(story_.query().path());
  }
};

TEST_F(CheckpointEmpty, ADirectoryInWhichThereNeverWasACheckpointIsUnknown) {
  EmptyIt();
  EXPECT_FALSE(Fires());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kUnknown);
  EXPECT_FALSE(QueryOf(story_.report).checkpoint_up);
}

TEST_F(CheckpointEmpty, NothingIsLeftOfIt_OverARestart) {
  Batches(3);
  story_.Poll();
  story_.RestartDaemon();
  EmptyIt();
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("batch 3 was there"));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires());
}

TEST_F(CheckpointEmpty, CommitsAndStateAloneAreNoCheckpoint) {
  Batches(3);
  story_.Poll();
  Remove("offsets");
  Remove("metadata");
  EXPECT_TRUE(Fires());
}

TEST_F(CheckpointEmpty, OneThatHasNotPlannedABatchMayGo) {
  story_.Poll();
  EmptyIt();
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointEmpty, AnotherBegins) {
  Batches(3);
  story_.Poll();
  EmptyIt();
  EXPECT_TRUE(Fires());
  story_.unreadable["orders"] = {ErrorKind::kDenied, "permission denied"};
  EXPECT_TRUE(Fires()) << "unknown ends nothing";
  story_.unreadable.clear();
  story_.query().StartOver("22222222-0000-0000-0000-000000000000");
  Batches(0);
  EXPECT_FALSE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
