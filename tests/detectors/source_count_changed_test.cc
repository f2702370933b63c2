#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;

class SourceCountChanged : public DamageStory {
 protected:
  SourceCountChanged() : DamageStory("source_count_changed") {
    story_.kafka.Set("u", "B", {{0, {0, 900}}});
    Two(10);
    Two(20);
  }

  void Two(Offset offset) { story_.query().BatchOfLines({T(offset), U(offset)}); }
  static std::string T(Offset offset) { return OffsetLine({{"t", {{0, offset}}}}); }
  static std::string U(Offset offset) { return OffsetLine({{"u", {{0, offset}}}}); }
};

TEST_F(SourceCountChanged, IsQuietWhileEveryBatchHasBoth) { EXPECT_FALSE(Fires()); }

TEST_F(SourceCountChanged, TheNewestHasOneLess) {
  story_.query().BatchOfLines({T(30)});
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("offsets/2: 1 source lines after 2"));
  EXPECT_THAT(Summary(), HasSubstr("sources in the checkpoint offsets and now there are"));
  EXPECT_EQ(The(story_.report, id_).confidence, Confidence::kCertain);
}

TEST_F(SourceCountChanged, ASourceThatHasNoDataYetHasALineToo) {
  story_.query().BatchOfLines({T(30), "-"});
  EXPECT_FALSE(Fires());
}

TEST_F(SourceCountChanged, TheOneInFlightHasOneLess_NotWhileItMayBeWrittenStill) {
  story_.query().PlanLines({T(30)});
  story_.JudgeAtOnce();
  story_.Poll();
  EXPECT_FALSE(JudgeOne::Fires(story_.report));
  story_.Poll();
  EXPECT_TRUE(JudgeOne::Fires(story_.report));
}

TEST_F(SourceCountChanged, TheBatchesGoOnWithTheNewNumber) {
  story_.query().BatchOfLines({T(30)});
  EXPECT_TRUE(Fires());
  story_.query().BatchOfLines({T(40)});
  EXPECT_FALSE(Fires()) << "somebody has brought checkpoint and query together";
}

TEST_F(SourceCountChanged, TheOnlyBatchIsCut_OurMemoryKnowsBetter_OverARestart) {
  Remove("offsets/0");
  story_.Poll();
  story_.RestartDaemon();
  Write("offsets/1", "v1\n{}\n" + T(20));
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("has 1 source lines, where it had 2"));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires());
}

TEST_F(SourceCountChanged, OfVersion2MayBeMeant) {
  Damaged({.kind = Damage::Kind::kSourcesChanged,
           .file = "offsets/2",
           .batch = 2,
           .what = "source 'b' is missing"});
  EXPECT_EQ(Found().confidence, Confidence::kLikely);
}

TEST_F(SourceCountChanged, UnreadableIsUnknown_AndEndsNothing) {
  story_.query().BatchOfLines({T(30)});
  EXPECT_TRUE(Fires());
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "no answer"};
  EXPECT_TRUE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
