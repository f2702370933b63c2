#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckpointRestarted : public DamageStory {
 protected:
  CheckpointRestarted() : DamageStory("checkpoint_restarted") { Batches(9); }
};

TEST_F(CheckpointRestarted, IsQuietWhileBatchesGoOn) {
  EXPECT_FALSE(Fires());
  story_.query().Batch(Ends(10));
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointRestarted, AnOlderCopyIsPutBack_OverRestarts) {
  story_.Poll();
  story_.RestartDaemon();
  story_.query().RollBackTo(4);
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("The newest batch is 4, but batch 9 had already ended"));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires());
}

TEST_F(CheckpointRestarted, ItBeginsAgainWithAnotherId) {
  story_.Poll();
  story_.query().StartOver("22222222-0000-0000-0000-000000000000");
  story_.query().Plan(Ends(0));
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("another checkpoint has begun"));
}

TEST_F(CheckpointRestarted, ItHasCaughtUp) {
  story_.Poll();
  story_.query().RollBackTo(7);
  EXPECT_TRUE(Fires());
  story_.query().Batch(Ends(8));
  EXPECT_TRUE(Fires());
  story_.query().Batch(Ends(9));
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointRestarted, AnUncommittedBatchIsTakenAway) {
  story_.query().Plan(Ends(10));
  story_.Poll();
  story_.query().RollBackTo(9);
  EXPECT_FALSE(Fires()) << "an operator, or real-time mode, plans it anew";
}

TEST_F(CheckpointRestarted, SomebodyAcknowledgesIt) {
  story_.Poll();
  story_.query().RollBackTo(4);
  EXPECT_TRUE(Fires());
  story_.ledger.acknowledgements.push_back(
      {.key = {.kind = id_, .query = "orders"}, .at = story_.now});
  EXPECT_FALSE(Fires());
  story_.query().RollBackTo(2);
  EXPECT_TRUE(Fires()) << "from where it stood then";
}

TEST_F(CheckpointRestarted, UnreadableIsUnknown_AndEndsNothing) {
  EXPECT_THAT(Check(), IsEmpty());
  story_.Poll();
  story_.query().RollBackTo(4);
  EXPECT_TRUE(Fires());
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "no answer"};
  EXPECT_TRUE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
