#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;

class CommitLogUnreadable : public DamageStory {
 protected:
  CommitLogUnreadable() : DamageStory("commit_log_unreadable") { Batches(2); }
};

TEST_F(CommitLogUnreadable, IsQuietOnWhatSparkWrites) {
  EXPECT_FALSE(Fires());
  Write("commits/2", "v1");
  EXPECT_FALSE(Fires()) << "a missing second line is an empty one";
}

TEST_F(CommitLogUnreadable, TheNewestIsEmpty) {
  Write("commits/2", "");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("Incomplete log file in the offset commit log"));
  EXPECT_TRUE(QueryOf(story_.report).checkpoint_up) << "Spark goes by the name";
}

TEST_F(CommitLogUnreadable, TheNewestIsTorn) {
  Write("commits/2", "v1\n{\"nextBatchWa");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("line 2"));
}

TEST_F(CommitLogUnreadable, AnOlderOneIsReadByNobody) {
  Write("commits/1", "");
  EXPECT_FALSE(Fires());
}

TEST_F(CommitLogUnreadable, DeniedIsUnknown_AndTheFindingStaysOverARestart) {
  Write("commits/2", "");
  EXPECT_TRUE(Fires());
  story_.RestartDaemon();
  story_.unreadable["orders"] = {ErrorKind::kDenied, "permission denied"};
  EXPECT_TRUE(Fires());
  story_.unreadable.clear();
  story_.query().Batch(Ends(3));
  EXPECT_FALSE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
