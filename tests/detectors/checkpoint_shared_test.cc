#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckpointShared : public DamageStory {
 protected:
  CheckpointShared() : DamageStory("checkpoint_shared") {
    Batches(8);
    story_.Wait(std::chrono::minutes(1));
    story_.query().Batch(Ends(9));
  }

  /// offsets/9 again, as a driver plans it at this moment.
  void PlanAgain() {
    story_.query().SetNext(9);
    story_.query().Plan(Ends(9));
  }
};

TEST_F(CheckpointShared, IsQuietWhileEachBatchIsPlannedOnce) {
  EXPECT_FALSE(Fires());
  story_.query().Batch(Ends(10));
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointShared, ABatchThatHadEndedIsPlannedAnew_OverARestart) {
  story_.Poll();
  story_.RestartDaemon();
  PlanAgain();
  EXPECT_TRUE(Fires());
  EXPECT_EQ(The(story_.report, id_).batch, 9);
  EXPECT_EQ(The(story_.report, id_).confidence, Confidence::kLikely);
  EXPECT_THAT(Summary(), HasSubstr("Multiple streaming"));
  story_.query().Batch(Ends(10));
  EXPECT_FALSE(Fires()) << "there is no further sign of it";
}

TEST_F(CheckpointShared, ABatchThatHadNotEndedMayBePlannedAnew) {
  story_.query().Plan(Ends(10));
  story_.Poll();
  story_.Wait(kPollInterval);
  story_.query().SetNext(10);
  story_.query().Batch(Ends(10));
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointShared, ACheckpointIsMadeAnewBetweenTwoPolls) {
  story_.Poll();
  story_.query().StartOver("11111111-0000-0000-0000-000000000000");
  for (BatchId batch = 0; batch <= 9; ++batch) {
    story_.Wait(std::chrono::seconds(1));
    story_.query().Batch(Ends(batch));
  }
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointShared, ASecondDriversPlanIsLeft_UntilItIsLongAgo) {
  const std::string text = story_.storage.TextOf(Path("offsets/9"));
  story_.Poll();
  story_.Wait(std::chrono::seconds(1));
  PlanAgain();
  const std::string later = story_.storage.TextOf(Path("offsets/9"));
  Write("offsets/9", text);
  Write("offsets/.9.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp", later);
  story_.query().Batch(Ends(10));
  EXPECT_TRUE(Fires());
  EXPECT_EQ(The(story_.report, id_).batch, 9);
  EXPECT_EQ(The(story_.report, id_).confidence, Confidence::kCertain);
  story_.RestartDaemon();
  EXPECT_TRUE(Fires());
  story_.Wait(std::chrono::minutes(15));
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointShared, ACrashWhileABatchWasPlannedLeavesAnEarlierOne) {
  story_.query().Plan(Ends(10));
  const std::string early = story_.storage.TextOf(Path("offsets/10"));
  Write("offsets/.10.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp", early);
  Remove("offsets/10");
  story_.Poll();
  story_.Wait(kPollInterval);
  story_.query().SetNext(10);
  story_.query().Batch(Ends(10));
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointShared, AnOperatorCorrectsOffsetsAndLeavesTheTime) {
  story_.Poll();
  const std::string text = story_.storage.TextOf(Path("offsets/9"));
  Write("offsets/9", text.substr(0, text.rfind('\n') + 1) + OffsetLine({{"t", {{0, 7}}}}));
  EXPECT_FALSE(Fires());
}

TEST_F(CheckpointShared, UnreadableIsUnknown_AndEndsNothing) {
  EXPECT_THAT(Check(), IsEmpty());
  story_.Poll();
  PlanAgain();
  EXPECT_TRUE(Fires());
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "no answer"};
  EXPECT_TRUE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
