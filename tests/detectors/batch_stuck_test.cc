#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class BatchStuck : public DamageStory {
 protected:
  BatchStuck() : DamageStory("batch_stuck") {}

  /// Every minute a batch that takes `took`.
  void Run(int batches, Duration took) {
    for (int i = 0; i < batches; ++i) {
      story_.query().Plan(Ends(next_));
      story_.Poll(took);
      story_.query().Commit();
      story_.Poll(1min - took);
      ++next_;
    }
  }
  void PlanNext() { story_.query().Plan(Ends(next_++)); }

  BatchId next_ = 0;
};

TEST_F(BatchStuck, IsQuietWhileBatchesEnd) {
  Run(10, 20s);
  EXPECT_THAT(story_.report.findings, IsEmpty());
}

TEST_F(BatchStuck, ABatchThatTakesMuchLongerThanAnyBefore) {
  Run(10, 20s);
  PlanNext();
  story_.PollFor(19min);
  EXPECT_THAT(story_.report.findings, IsEmpty()) << "just below";
  story_.PollFor(3min);
  EXPECT_TRUE(JudgeOne::Fires(story_.report));
  EXPECT_EQ(The(story_.report, id_).batch, 10);
  EXPECT_EQ(The(story_.report, id_).severity, Severity::kWarning);
  EXPECT_THAT(Summary(), HasSubstr("Batch 10 was planned 22 min ago"));
  story_.query().Commit();
  EXPECT_FALSE(Fires());
}

TEST_F(BatchStuck, IsCriticalWhileTheLagGrows_OverARestart) {
  Run(3, 20s);
  PlanNext();
  story_.PollFor(10min);
  story_.RestartDaemon();
  story_.kafka.Produce("t", 0, 100);
  story_.PollFor(14min);
  EXPECT_EQ(The(story_.report, id_).severity, Severity::kCritical);
  EXPECT_THAT(Summary(), HasSubstr("records wait"));
}

TEST_F(BatchStuck, ItsOwnRhythmIsSlow) {
  for (int i = 0; i < 3; ++i) {
    PlanNext();
    story_.PollFor(30min);
    story_.query().Commit();
  }
  PlanNext();
  story_.PollFor(100min);
  EXPECT_THAT(story_.report.findings, IsEmpty());
  story_.PollFor(25min);
  EXPECT_TRUE(JudgeOne::Fires(story_.report));
}

TEST_F(BatchStuck, ANightlyBatchOfAnHour_AtFirstSight) {
  story_.query().Plan(Ends(0));
  story_.Wait(1h);
  story_.query().Commit();
  story_.Wait(23h);
  story_.query().Plan(Ends(1));
  story_.Wait(2h);
  EXPECT_FALSE(Fires()) << "the commit's own file says how long one takes";
  story_.Wait(2h);
  EXPECT_TRUE(Fires());
}

TEST_F(BatchStuck, NoBatchHasEverEnded) {
  // https://xinyeah.github.io/Spark-stateful-streaming-processing-is-stuck-in-StateStoreSave-stage/
  PlanNext();
  story_.Wait(110min);
  EXPECT_FALSE(Fires());
  story_.Wait(2h);
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("no batch of this query ever has"));
}

TEST_F(BatchStuck, ACompactionEveryTenBatchesTakesLonger) {
  // https://kb.databricks.com/streaming/structured-streaming-jobs-slow-down-on-every-10th-batch
  for (int round = 0; round < 4; ++round) {
    Run(9, 5s);
    PlanNext();
    story_.PollFor(10min);
    story_.query().Commit();
  }
  EXPECT_THAT(story_.report.findings, IsEmpty());
}

TEST_F(BatchStuck, WhatWasOldWhenItWasFirstSeenIsAbandoned) {
  // https://kb.databricks.com/streaming/checkpoint-no-cleanup-foreachbatch
  PlanNext();
  story_.Wait(8 * 24h);
  EXPECT_FALSE(Fires());
}

TEST_F(BatchStuck, InContinuousModeWhatIsAboveTheCommitIsNormal) {
  checkpoint_->newest_batch = 7;
  checkpoint_->newest_batch_at = kStart - 10h;
  EXPECT_EQ(Found().batch, 7);
  checkpoint_->continuous = true;
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(BatchStuck, WhenItWasPlannedIsNotKnown) {
  checkpoint_->newest_batch = 7;
  EXPECT_THAT(Check(), IsEmpty());
}

}  // namespace
}  // namespace tidegauge::testing
