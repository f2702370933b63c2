#include <gmock/gmock.h>

#include "tests/detectors/judge_log.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SinkLogUnreadable : public JudgeLog {
 protected:
  SinkLogUnreadable() : JudgeLog("sink_log_unreadable") {
    Range(0, 4);
    Committed(4);
  }
};

TEST_F(SinkLogUnreadable, IsQuietWhileAllCanBeRead) {
  Files({"3"}, "v1");
  EXPECT_THAT(CheckLogs(), IsEmpty()) << "a batch without files";
}

TEST_F(SinkLogUnreadable, AnEmptyFile_AndTheBatchThatFailsOnIt) {
  Files({"2"}, "");
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_THAT(found.missing, ElementsAre("2"));
  EXPECT_EQ(found.batch, 9);
  EXPECT_EQ(found.batches_left, 5);
  EXPECT_THAT(found.summary, HasSubstr("/2 cannot be read: it is empty"));
}

TEST_F(SinkLogUnreadable, ATornOrForeignFile) {
  Files({"2"}, kLogText.substr(0, kLogText.size() - 1));
  EXPECT_THAT(FoundInLogs().summary, HasSubstr("cut short"));
  Files({"3"}, "hello");
  const Finding both = FoundInLogs();
  EXPECT_THAT(both.missing, ElementsAre("2", "3"));
}

TEST_F(SinkLogUnreadable, BelowTheNewestCompactFileItMattersNoMore) {
  Files({"2"}, "");
  Files({"9.compact", "10"});
  Committed(10);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogUnreadable, WhatCannotBeOpenedIsUnknown_NotUnreadable) {
  Files({"2"}, "");
  Unreadable();
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkLogUnreadable, StaysWhileTheLogCannotBeRead_AndOverARestart) {
  BeginStory();
  RunTo(5);
  EXPECT_FALSE(Fires(story_.Poll()));
  story_.Poll();
  Files({"2"}, "");
  EXPECT_TRUE(Fires(story_.Poll())) << "emptied in place";
  Unreadable();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.storage.ClearFaults();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  Files({"2"});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
