#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using namespace std::chrono_literals;

constexpr double kHorizonSeconds = 6 * 3600;

class RetentionHeadroomLow : public JudgeOne {
 protected:
  RetentionHeadroomLow() : JudgeOne("retention_headroom_low") {}

  /// The log start is `distance` behind the position and gains one offset a second on it.
  PartitionComparison& AddGaining(Offset distance) {
    PartitionComparison& partition = Add(0, 100'000, 100'000 - distance, 200'000);
    partition.log_start_rate = 1;
    partition.position_rate = 0;
    return partition;
  }
};

TEST_F(RetentionHeadroomLow, IsQuietJustBeyondTheHorizon_AndSpeaksWithinIt) {
  AddGaining(static_cast<Offset>(kHorizonSeconds));
  EXPECT_THAT(Check(), IsEmpty());
  topic().partitions.clear();
  AddGaining(static_cast<Offset>(kHorizonSeconds) - 1);
  EXPECT_EQ(Found().expected_at, kStart + 6h);
  EXPECT_EQ(Found().severity, Severity::kWarning);
}

TEST_F(RetentionHeadroomLow, TheFirstPartitionThatLosesCounts) {
  AddGaining(7200);
  PartitionComparison& second = Add(1, 5000, 1401, 9000);
  second.log_start_rate = 2;
  second.position_rate = 1;
  EXPECT_EQ(Found().expected_at, kStart + 1h) << "3600 offsets at one a second";
  EXPECT_EQ(Found().partitions.size(), 2u);
}

TEST_F(RetentionHeadroomLow, AQueryThatKeepsPaceIsQuiet) {
  PartitionComparison& partition = AddGaining(60);
  partition.position_rate = 0.84;
  EXPECT_THAT(Check(), IsEmpty());
  partition.position_rate = 0.83;
  EXPECT_EQ(Check().size(), 1u);
}

TEST_F(RetentionHeadroomLow, AQueryThatReadsWhatIsThereBeforeTheLogStartGetsToItIsQuiet) {
  // Evening: retention takes what was written at noon, and the query all the little that comes.
  PartitionComparison& partition = AddGaining(3599);
  partition.position_rate = 0.1;
  partition.log_end = 100'000 + 359;
  EXPECT_THAT(Check(), IsEmpty()) << "read in 3590 s, where the log start takes 3600 s";
  partition.log_end = 100'000 + 360;
  EXPECT_EQ(Check().size(), 1u);
}

TEST_F(RetentionHeadroomLow, AQueryThatMovedAllDayAndStandsStillNowIsForetold) {
  PartitionComparison& partition = AddGaining(7199);
  partition.position_rate = 0.9;
  partition.log_end = 100'000 + 6480;
  EXPECT_THAT(Check(), IsEmpty());
  partition.position_rate_lately = 0;
  EXPECT_EQ(Found().expected_at, kStart + 2h);
}

TEST_F(RetentionHeadroomLow, ARecordThatCameIntoAnEmptyLogIsNotAboutToExpire) {
  PartitionComparison& partition = Add(0, 100, 100, 101);
  partition.log_start_rate = 1.0 / (12 * 3600);
  partition.position_rate = 0;
  EXPECT_THAT(Check(), IsEmpty()) << "one more of them expires in half a day";
}

TEST_F(RetentionHeadroomLow, NothingUnreadNothingToLose) {
  AddGaining(60).log_end = 100'000;
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(RetentionHeadroomLow, WhatIsLostAlreadyIsAnotherFinding) {
  AddGaining(-1);
  EXPECT_THAT(Check(), IsEmpty());
  topic().partitions.clear();
  AddGaining(0);
  EXPECT_EQ(Check().size(), 1u) << "the next record goes";
}

TEST_F(RetentionHeadroomLow, WithoutARateNothingIsForetold) {
  AddGaining(60).log_start_rate.reset();
  EXPECT_THAT(Check(), IsEmpty());
  topic().partitions.clear();
  AddGaining(60).position_rate.reset();
  EXPECT_THAT(Check(), IsEmpty());
  topic().partitions.clear();
  AddGaining(60).log_start.reset();
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(RetentionHeadroomLow, HoldsForTenMinutes_StaysWhileUnknown_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 200'000}}});
  story_.query().Batch({{"t", {{0, 100'000}}}});
  story_.Poll();
  for (Offset start = 30; start < 600; start += 30) {
    story_.kafka.Expire("t", 0, 90'000 + start);
    story_.Poll();
    ASSERT_FALSE(Fires(story_.report)) << start;
  }
  story_.RestartDaemon();
  story_.kafka.Expire("t", 0, 90'630);
  story_.Poll();
  story_.kafka.Expire("t", 0, 90'660);
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Down();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Up();
  story_.query().Batch({{"t", {{0, 200'000}}}});
  EXPECT_FALSE(Fires(story_.Poll())) << "all is read";
}

}  // namespace
}  // namespace tidegauge::testing
