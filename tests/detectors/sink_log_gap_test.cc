#include <gmock/gmock.h>

#include "tests/detectors/judge_log.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SinkLogGap : public JudgeLog {
 protected:
  SinkLogGap() : JudgeLog("sink_log_gap") {}
};

TEST_F(SinkLogGap, IsQuietWhileReadersFindAll) {
  Files({"9.compact"});
  Range(10, 12);
  Committed(12);
  EXPECT_THAT(CheckLogs(), IsEmpty()) << "what lies below the compact file was purged, legally";
}

TEST_F(SinkLogGap, NamesWhatReadersMiss) {
  Range(10, 18);
  Committed(18);
  const Finding found = FoundInLogs();
  EXPECT_THAT(found.missing, ElementsAre("9.compact"));
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_THAT(found.summary,
              HasSubstr("\"/out/orders/_spark_metadata/9.compact doesn't exist (latestId: 18, "
                        "compactInterval: 10)\""));
}

TEST_F(SinkLogGap, TheOtherNameDoesNotHelp) {
  Range(9, 18);
  Committed(18);
  EXPECT_THAT(FoundInLogs().missing, ElementsAre("9.compact"));
  EXPECT_THAT(FoundInLogs().summary, HasSubstr("A file 9 is there: if the query sets another "
                                               "compactInterval than 10"));
  settings_.sink = 20;
  EXPECT_THAT(FoundInLogs().missing, ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8"));
  Range(0, 8);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogGap, TheEndOfALogIsMissedInSilence) {
  Range(0, 5);
  Committed(5);
  EXPECT_THAT(CheckLogs(), IsEmpty());
  Committed(7);
  const Finding found = FoundInLogs();
  EXPECT_THAT(found.missing, ElementsAre("6", "7"));
  EXPECT_THAT(found.summary, HasSubstr("do not see what batches 6 to 7 wrote"));
}

TEST_F(SinkLogGap, ABatchInFlightHasNoFileYet) {
  Range(0, 5);
  Committed(5);
  Planned(6);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogGap, ALogWithoutFilesIsAnotherFinding) {
  Files({});
  Committed(5);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogGap, WhatCannotBeReadIsNoGap) {
  Range(0, 5);
  Committed(7);
  Unreadable();
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogGap, StaysWhileTheLogCannotBeRead_AndOverARestart) {
  BeginStory();
  RunTo(12);
  EXPECT_FALSE(Fires(story_.Poll()));
  Remove("11");
  EXPECT_TRUE(Fires(story_.Poll()));
  Unreadable();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.storage.ClearFaults();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  Files({"11"});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
