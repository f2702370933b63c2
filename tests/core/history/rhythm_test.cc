#include "core/history/rhythm.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow(1000h);

/// Batches planned at these moments; the newest has ended `took` after its plan.
Checkpoint Planned(std::vector<Time> times, Duration took = 1min) {
  Checkpoint checkpoint;
  for (const Time time : times) {
    checkpoint.batch_times.push_back({static_cast<BatchId>(checkpoint.batch_times.size()), time});
  }
  checkpoint.newest_batch = checkpoint.committed_batch = checkpoint.batch_times.back().batch;
  checkpoint.newest_batch_at = times.back();
  checkpoint.committed_at = times.back() + took;
  return checkpoint;
}

TEST(Rhythm, TheCommitOfTheNewestBatchSaysHowLongItTook) {
  EXPECT_EQ(LongestBatch({}, Planned({kNow}, 7min)), 7min);
  EXPECT_EQ(LongestBatch({.longest_batch = 9min}, Planned({kNow}, 7min)), 9min);
  EXPECT_EQ(LongestBatch({}, Planned({kNow}, -7min)), std::nullopt)
      << "no batch ends before it began";
  EXPECT_EQ(LongestBatch({}, {}), std::nullopt);
}

TEST(Rhythm, ALongBatchIsForgottenByAndBy) {
  QueryMemory memory;
  Checkpoint checkpoint = Planned({kNow}, 60min);
  for (BatchId batch = 0; batch < 50; ++batch) {
    checkpoint.newest_batch = checkpoint.committed_batch = checkpoint.batch_times[0].batch = batch;
    NoteRhythm(memory, checkpoint, 0, kNow);
    memory.newest_batch = memory.committed_batch = batch;
    checkpoint.committed_at = kNow + 1min;
    if (batch == 3) {
      EXPECT_GT(memory.longest_batch, 40min);
    }
  }
  EXPECT_EQ(memory.longest_batch, 1min);
}

TEST(Rhythm, OneLongPauseIsAnAccident_TwoAreNot) {
  EXPECT_EQ(UsualPause({}, Planned({kNow, kNow + 1min, kNow + 61min, kNow + 62min})), 1min);
  EXPECT_EQ(UsualPause({}, Planned({kNow, kNow + 60min, kNow + 61min, kNow + 120min})), 59min);
  EXPECT_EQ(
      UsualPause({.second_pause = 5h}, Planned({kNow, kNow + 1min, kNow + 2min, kNow + 3min})), 5h);
}

TEST(Rhythm, AFewBatchesHaveNone) {
  EXPECT_EQ(UsualPause({}, Planned({kNow, kNow + 1min, kNow + 2min})), std::nullopt);
  EXPECT_EQ(UsualPause({.second_pause = 5h}, Planned({kNow})), 5h);
}

TEST(Rhythm, WhatWaitedWhenItLastAdvancedIsRemembered) {
  QueryMemory memory;
  NoteRhythm(memory, Planned({kNow}), 40, kNow);
  EXPECT_EQ(memory.waiting, 40);
  EXPECT_EQ(memory.advanced_at, Time{}) << "nobody saw it come";
  memory.newest_batch = memory.committed_batch = 0;
  NoteRhythm(memory, Planned({kNow}), 90, kNow + 1h);
  EXPECT_EQ(memory.waiting, 40);
  NoteRhythm(memory, Planned({kNow, kNow + 1h}), std::nullopt, kNow + 2h);
  EXPECT_EQ(memory.waiting, -1);
  EXPECT_EQ(memory.advanced_at, kNow + 2h);
  EXPECT_EQ(memory.longest_pause, 1h);
}

TEST(Rhythm, NothingToReadIsNotedNowAndThen) {
  QueryMemory memory{.newest_batch = 0, .committed_batch = 0, .advanced_at = kNow};
  NoteRhythm(memory, Planned({kNow}), 0, kNow + kIdleStep - 1s);
  EXPECT_EQ(memory.advanced_at, kNow);
  NoteRhythm(memory, Planned({kNow}), 1, kNow + kIdleStep);
  NoteRhythm(memory, Planned({kNow}), std::nullopt, kNow + kIdleStep);
  EXPECT_EQ(memory.advanced_at, kNow) << "something waits, or may";
  NoteRhythm(memory, Planned({kNow}), 0, kNow + kIdleStep);
  EXPECT_EQ(memory.advanced_at, kNow + kIdleStep);
  memory.advanced_at = {};
  NoteRhythm(memory, Planned({kNow}), 0, kNow + kIdleStep);
  EXPECT_EQ(memory.advanced_at, Time{}) << "nobody ever saw it advance";
}

TEST(Rhythm, DurationsAreSaidInTheUnitThatFits) {
  EXPECT_EQ(SayDuration(17min), "17 min");
  EXPECT_EQ(SayDuration(4h), "4.0 h");
  EXPECT_EQ(SayDuration(80h), "3 days");
}

}  // namespace
}  // namespace tidegauge
