#include <gmock/gmock.h>

#include "tests/detectors/judge_log.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class CompactionWillFail : public JudgeLog {
 protected:
  CompactionWillFail() : JudgeLog("compaction_will_fail") {}
};

TEST_F(CompactionWillFail, IsQuietWhileEverythingNeededIsThere) {
  Files({"9.compact"});
  Range(10, 18);
  Committed(18);
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(CompactionWillFail, SaysWhichBatchForWantOfWhat_AndWhen) {
  Range(2, 5);
  Committed(5);
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.batch, 9);
  EXPECT_EQ(found.batches_left, 4);
  EXPECT_EQ(found.expected_at, kStart + 4min);
  EXPECT_THAT(found.missing, ElementsAre("0", "1"));
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_EQ(found.key.log, "sink");
  EXPECT_THAT(found.summary,
              AllOf(HasSubstr("Batch 9, in 4 batches,"), HasSubstr("0 and 1"),
                    HasSubstr("Unable to find batch /out/orders/_spark_metadata/0"),
                    HasSubstr("_spark_metadata/0 doesn't exist when compacting batch 9 "
                              "(compactInterval: 10)")));
}

TEST_F(CompactionWillFail, TheNextBatchIsTheOne) {
  Range(2, 8);
  Committed(8);
  EXPECT_EQ(FoundInLogs().batches_left, 1);
  Planned(9);
  const Finding failed = FoundInLogs();
  EXPECT_EQ(failed.batch, 9);
  EXPECT_EQ(failed.batches_left, 1);
  EXPECT_EQ(failed.expected_at, std::nullopt) << "it is due already";
}

TEST_F(CompactionWillFail, CountsFromTheCheckpoint_NotFromTheLog) {
  Files({"9.compact"});
  Range(10, 12);
  Committed(25);
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.batch, 29);
  EXPECT_THAT(found.missing, ElementsAre("19.compact", "20", "21", "22", "23", "24", "25"));
}

TEST_F(CompactionWillFail, WithoutARhythmThereIsNoDate) {
  Range(2, 5);
  Committed(5);
  checkpoint_->batch_times.clear();
  EXPECT_EQ(FoundInLogs().expected_at, std::nullopt);
}

TEST_F(CompactionWillFail, AnEmptyFileFailsItToo) {
  Range(0, 4);
  Files({"2"}, "");
  Committed(4);
  const Finding found = FoundInLogs();
  EXPECT_THAT(found.missing, ElementsAre("2"));
  EXPECT_THAT(found.summary,
              HasSubstr("Failed to read log file /out/orders/_spark_metadata/2. Incomplete log"));
}

TEST_F(CompactionWillFail, ALostCompactFileFailsARestartedDriverOnly) {
  Files({"9.compact", "29.compact"});
  Range(20, 28);
  Range(30, 33);
  Committed(33);
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.batch, 39);
  EXPECT_THAT(found.summary,
              AllOf(HasSubstr("So it is after a restart (interval 20)"),
                    HasSubstr("that has run since before has interval 10, and its compaction at 39 "
                              "has what it needs")));
}

TEST_F(CompactionWillFail, AnIntervalLoweredBeforeTheFirstCompactionBreaksALogByItself) {
  Range(0, 4);
  Committed(4);
  EXPECT_THAT(CheckLogs(), IsEmpty());
  settings_.sink = 3;
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.batch, 5);
  EXPECT_THAT(found.missing, ElementsAre("2.compact"));
}

TEST_F(CompactionWillFail, ABatchThatIsDroppedIsNotCompacted) {
  Range(0, 12);
  Files({"9.compact"});
  Committed(3);
  EXPECT_THAT(CheckLogs(), IsEmpty()) << "the first batch written is 13";
}

TEST_F(CompactionWillFail, AFileSourcesLogCountsItsOwnEntries) {
  checkpoint_->unmonitored_sources = 1;
  Range(0, 3);
  Committed(3);
  for (const std::string name : {"9.compact", "10", "12"}) {
    story_.storage.Write("/c/orders/sources/1/" + name, kLogText);
  }
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.key.log, "source 1");
  EXPECT_EQ(found.batch, 19);
  EXPECT_EQ(found.batches_left, 7);
  EXPECT_EQ(found.expected_at, std::nullopt);
  EXPECT_THAT(found.missing, ElementsAre("11"));
  EXPECT_THAT(found.summary, HasSubstr("A restart fails at once"));
}

TEST_F(CompactionWillFail, AFileSourcesIntervalIsConfiguredBesideTheSinks) {
  checkpoint_->unmonitored_sources = 1;
  Range(0, 3);
  Committed(3);
  for (BatchId entry = 1; entry < 4; ++entry) {
    story_.storage.Write("/c/orders/sources/1/" + std::to_string(entry), kLogText);
  }
  EXPECT_EQ(FoundInLogs().batch, 9);
  settings_.source = 25;
  const Finding found = FoundInLogs();
  EXPECT_EQ(found.batch, 24);
  EXPECT_THAT(found.missing, ElementsAre("0"));
}

TEST_F(CompactionWillFail, SaysWhereToConfigureAnIntervalThatALoneCompactFileLeavesOpen) {
  Files({"29.compact"});
  Range(30, 42);
  Committed(42);
  EXPECT_THAT(
      FoundInLogs().summary,
      HasSubstr("A file 39 is there: if the query sets another compactInterval than 10, say "
                "so in compact_interval."));
  settings_.sink = 30;
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(CompactionWillFail, WhatCannotBeReadIsUnknown) {
  Range(2, 5);
  Committed(5);
  Unreadable();
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(CompactionWillFail, StaysWhileTheLogCannotBeRead_AndOverARestart) {
  BeginStory();
  RunTo(5);
  EXPECT_FALSE(Fires(story_.Poll()));
  Remove("1");
  EXPECT_TRUE(Fires(story_.Poll()));
  EXPECT_EQ(QueryOf(story_.report).logs.at(0).batches_left, 4);
  Unreadable();
  EXPECT_TRUE(Fires(story_.Poll()));
  EXPECT_EQ(QueryOf(story_.report).logs.at(0).batches_left, std::nullopt) << "unknown";
  story_.storage.ClearFaults();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  Files({"1"});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
