#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class QueryStalled : public DamageStory {
 protected:
  QueryStalled() : DamageStory("query_stalled") { story_.kafka.Set("t", "A", {{0, {0, 0}}}); }

  void BatchOf(Offset records) {
    story_.kafka.Produce("t", 0, records);
    story_.query().Batch({{"t", {{0, end_ += records}}}});
  }
  /// A batch every `pause`.
  void Run(int batches, Duration pause) {
    for (int i = 0; i < batches; ++i) {
      BatchOf(100);
      story_.Poll();
      story_.Poll(pause - kPollInterval);
    }
  }

  Offset end_ = 0;
};

TEST_F(QueryStalled, IsQuietWhileBatchesCome) {
  Run(10, 1min);
  EXPECT_THAT(story_.report.findings, IsEmpty());
}

TEST_F(QueryStalled, AnIdleTopicIsNoStall) {
  Run(10, 1min);
  story_.PollFor(5h);
  EXPECT_THAT(story_.report.findings, IsEmpty());
}

TEST_F(QueryStalled, RecordsComeAndNoBatchDoes_OverARestart) {
  // https://github.com/delta-io/delta/issues/1396
  Run(10, 1min);
  story_.kafka.Produce("t", 0, 5);
  story_.PollFor(25min);
  EXPECT_THAT(story_.report.findings, IsEmpty()) << "just below";
  story_.RestartDaemon();
  story_.PollFor(10min);
  EXPECT_TRUE(JudgeOne::Fires(story_.report));
  EXPECT_EQ(The(story_.report, id_).severity, Severity::kCritical);
  EXPECT_EQ(The(story_.report, id_).records, 5);
  EXPECT_THAT(Summary(),
              HasSubstr("though it rests up to 1 min usually. 5 records wait, and more"));
  story_.query().Batch({{"t", {{0, end_ + 5}}}});
  EXPECT_FALSE(Fires());
}

TEST_F(QueryStalled, AfterAnIdleTimeItMayTakeAsLongAsEver) {
  Run(10, 10min);
  story_.PollFor(5h);
  story_.kafka.Produce("t", 0, 5);
  story_.PollFor(9min);
  EXPECT_THAT(story_.report.findings, IsEmpty()) << "the next trigger is still to come";
  story_.PollFor(30min);
  EXPECT_TRUE(JudgeOne::Fires(story_.report));
  EXPECT_THAT(Summary(), HasSubstr("was planned 5.")) << "hours ago";
}

TEST_F(QueryStalled, ABacklogThatDoesNotGrowIsAWarning) {
  story_.kafka.Produce("t", 0, 5000);
  Run(10, 1min);
  story_.PollFor(40min);
  EXPECT_TRUE(JudgeOne::Fires(story_.report));
  EXPECT_EQ(The(story_.report, id_).severity, Severity::kWarning);
}

TEST_F(QueryStalled, TheLastOffsetOfAnIdleTransactionalTopicWaitsForEver) {
  // https://github.com/apache/spark/pull/20572
  Run(10, 1min);
  story_.kafka.Produce("t", 0, 1);
  story_.query().Batch({{"t", {{0, end_}}}});
  story_.PollFor(5h);
  EXPECT_THAT(story_.report.findings, IsEmpty());
}

TEST_F(QueryStalled, ANightlyQueryRestsAllDay) {
  for (int night = 0; night < 5; ++night) {
    BatchOf(100);
    for (int hour = 0; hour < 24; ++hour) {
      story_.kafka.Produce("t", 0, 10);
      end_ += 10;
      story_.Poll(1h);
      ASSERT_THAT(story_.report.findings, IsEmpty()) << "night " << night << " hour " << hour;
    }
  }
}

TEST_F(QueryStalled, ANightlyQueryOfManyBatchesIsKnownByTheThirdNight) {
  for (int night = 0; night < 5; ++night) {
    for (int batch = 0; batch < 120; ++batch) {
      BatchOf(100);
      if (night * 120 + batch >= 101) story_.query().RemoveOffsets(night * 120 + batch - 101);
      story_.Poll(10s);
    }
    for (int hour = 0; hour < 23; ++hour) {
      story_.kafka.Produce("t", 0, 10);
      end_ += 10;
      story_.Poll(1h);
      if (night > 2) {
        ASSERT_THAT(story_.report.findings, IsEmpty()) << night << " " << hour;
      }
    }
  }
}

TEST_F(QueryStalled, WithoutARhythmItTakesLong) {
  BatchOf(100);
  story_.Poll();
  story_.kafka.Produce("t", 0, 50);
  story_.Wait(30h);
  EXPECT_FALSE(Fires());
  story_.Wait(7h);
  EXPECT_TRUE(Fires());
}

TEST_F(QueryStalled, ABatchInFlightIsNoRest) {
  Run(10, 1min);
  story_.kafka.Produce("t", 0, 5);
  story_.query().Plan({{"t", {{0, end_ + 5}}}});
  story_.PollFor(10h);
  EXPECT_THAT(Firing(story_.report), ::testing::ElementsAre("batch_stuck"));
}

TEST_F(QueryStalled, NoLogEndIsUnknown_AndEndsNothing) {
  Run(10, 1min);
  story_.kafka.Produce("t", 0, 5);
  story_.kafka.Hide("t");
  story_.PollFor(1h);
  EXPECT_THAT(story_.report.findings, IsEmpty());
  story_.kafka.ShowAll();
  EXPECT_TRUE(Fires());
  story_.kafka.Down();
  EXPECT_TRUE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
