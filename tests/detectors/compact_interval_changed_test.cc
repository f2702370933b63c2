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
  settings_.sink = 3;
  EXPECT_THAT(CheckLogs(), IsEmpty());
  settings_.sink = 5;
  EXPECT_THAT(FoundInLogs().summary, HasSubstr("every 3 batches, not every 5 as configured"));
}

TEST_F(CompactIntervalChanged, ASourceHasAnIntervalOfItsOwn) {
  checkpoint_->unmonitored_sources = 1;
  Committed(0);
  Files({"0"});
  settings_ = {.sink = 9, .source = 5};
  for (const std::string name : {"3.compact", "4", "7.compact"}) {
    story_.storage.Write("/c/orders/sources/0/" + name, kLogText);
  }
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.key.log, "source 0");
  EXPECT_THAT(found.summary, HasSubstr("every 4 entries, not every 5 as configured"));
}

TEST_F(CompactIntervalChanged, WithoutACompactFileTheConfiguredOneIsInForce) {
  Range(0, 4);
  Committed(4);
  settings_.sink = 7;
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
