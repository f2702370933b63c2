#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LogVersionUnsupported : public DamageStory {
 protected:
  LogVersionUnsupported() : DamageStory("log_version_unsupported") { Batches(1); }
};

TEST_F(LogVersionUnsupported, TheVersionsOfSpark42AreKnown) {
  Write("offsets/2", "v2\n{\"batchTimestampMs\":1796000000000}\n0:{\"t\":{\"0\":30}}");
  Write("commits/2", "v3\n{\"nextBatchWatermarkMs\":0}");
  EXPECT_FALSE(Fires());
}

TEST_F(LogVersionUnsupported, NewerOffsets_NoLagIsShown) {
  Write("offsets/2", "v3\n{}\n");
  Write("commits/2", "v1\n{}");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("maximum supported log version is v1, but encountered v3"));
  EXPECT_EQ(The(story_.report, id_).severity, Severity::kWarning);
  EXPECT_THAT(QueryOf(story_.report).topics, IsEmpty());
}

TEST_F(LogVersionUnsupported, ANewerCommit) {
  Write("commits/1", "v4\n{}");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("encountered v4"));
}

TEST_F(LogVersionUnsupported, UnreadableIsUnknown_AndTheFindingStaysOverARestart) {
  Write("commits/1", "v4\n{}");
  EXPECT_TRUE(Fires());
  story_.RestartDaemon();
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "no answer"};
  EXPECT_TRUE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
