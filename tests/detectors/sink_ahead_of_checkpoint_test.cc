#include <gmock/gmock.h>

#include "tests/detectors/judge_log.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SinkAheadOfCheckpoint : public JudgeLog {
 protected:
  SinkAheadOfCheckpoint() : JudgeLog("sink_ahead_of_checkpoint") { Range(0, 3); }
};

TEST_F(SinkAheadOfCheckpoint, ALogAtTheCommit_OrAtTheBatchInFlight_IsHealthy) {
  Committed(3);
  EXPECT_THAT(CheckLogs(), IsEmpty());
  Committed(2);
  Planned(3);
  EXPECT_THAT(CheckLogs(), IsEmpty()) << "a crash between sink and commit";
}

TEST_F(SinkAheadOfCheckpoint, OneBatchAheadIsDropped) {
  Committed(2);
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.batch, 3);
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_THAT(found.summary, HasSubstr("commit batch 3, and write nothing"));
}

TEST_F(SinkAheadOfCheckpoint, AfterTheCheckpointWasDeletedManyAre) {
  Committed(0);
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.batch, 1);
  EXPECT_THAT(found.summary, HasSubstr("commit batches 1 to 3, and write nothing"));
}

TEST_F(SinkAheadOfCheckpoint, AQueryThatWentOnWhileItWasReadIsNotBehind) {
  Committed(2);
  story_.storage.Write("/c/orders/offsets/3", "");
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkAheadOfCheckpoint, WhatCannotBeReadIsUnknown) {
  Committed(0);
  Unreadable();
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(SinkAheadOfCheckpoint, StaysWhileTheLogCannotBeRead_AndOverARestart) {
  BeginStory();
  RunTo(3);
  EXPECT_FALSE(Fires(story_.Poll()));
  story_.query().StartOver("0b5e7c3a-0000-4000-8000-000000000001");
  story_.query().Batch({{"t", {{0, 25}}}});
  EXPECT_TRUE(Fires(story_.Poll()));
  Unreadable();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.storage.ClearFaults();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  for (int i = 0; i < 3; ++i) story_.query().Batch({{"t", {{0, 30}}}});
  EXPECT_FALSE(Fires(story_.Poll())) << "those batches are dropped by now";
}

}  // namespace
}  // namespace tidegauge::testing
