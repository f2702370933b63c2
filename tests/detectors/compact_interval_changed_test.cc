#include <gmock/gmock.h>

#include "tests/detectors/judge_log.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CompactIntervalChanged : public JudgeLog {
 protected:
  CompactIntervalChanged() : JudgeLog("compact_interval_changed") {}
};

TEST_F(CompactIntervalChanged, IsQuietWhileARestartGoesOnAsBefore) {
  Files({"9.compact", "19.compact"});
  Range(20, 22);
  Committed(22);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(CompactIntervalChanged, ALoneNineteenMakesTwenty) {
  Files({"19.compact"});
  Range(20, 22);
  Committed(22);
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.severity, Severity::kInfo);
  EXPECT_EQ(found.batch, 39);
  EXPECT_THAT(found.summary, HasSubstr("every 20 batches instead of 10"));
}

TEST_F(CompactIntervalChanged, ALoneTwentyNineDoesNot) {
  Files({"29.compact"});
  Range(30, 31);
  Committed(31);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(CompactIntervalChanged, AConfiguredIntervalThatIsNotInForce) {
  Files({"2.compact"});
  Range(3, 4);
  Committed(4);
  EXPECT_THAT(CheckLogs(), IsEmpty()) << "nobody said what is configured";
  setting_ = 3;
  EXPECT_THAT(CheckLogs(), IsEmpty());
  setting_ = 5;
  EXPECT_THAT(FoundInLogs().summary, HasSubstr("every 3 batches, not every 5 as configured"));
}

TEST_F(CompactIntervalChanged, WithoutACompactFileTheConfiguredOneIsInForce) {
  Range(0, 4);
  Committed(4);
  setting_ = 7;
  EXPECT_THAT(CheckLogs(), IsEmpty());
  Unreadable();
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(CompactIntervalChanged, StaysWhileTheLogCannotBeRead_AndOverARestart) {
  BeginStory();
  RunTo(22);
  EXPECT_FALSE(Fires(story_.Poll()));
  Remove("9.compact");
  EXPECT_TRUE(Fires(story_.Poll()));
  Unreadable();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.storage.ClearFaults();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  Files({"9.compact"});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
