// What happened to checkpoints themselves, as whole stories: which kinds fire, and which do not.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

class BrokenCheckpoint : public ::testing::Test {
 protected:
  BrokenCheckpoint() { story.kafka.Set("t", "A", {{0, {0, 900}}}); }

  /// Batches 0 to `newest`, one a minute.
  void Run(BatchId newest) {
    for (BatchId batch = 0; batch <= newest; ++batch) {
      story.query().Batch({{"t", {{0, 10 * (batch + 1)}}}});
      story.Wait(1min);
    }
  }
  void Plan(BatchId batch) { story.query().Plan({{"t", {{0, 10 * (batch + 1)}}}}); }
  std::string Path(const std::string& name) { return story.query().path() + "/" + name; }
  void Write(const std::string& name, const std::string& text) {
    story.storage.SetClock(story.now);
    story.storage.Write(Path(name), text);
  }
  std::vector<std::string> FiringSoon() { return Firing(story.PollFor(5min)); }

  Scenario story;
};

TEST_F(BrokenCheckpoint, ABatchInFlightIsNormal) {
  // https://www.canadiandataguy.com/p/how-spark-structured-streaming-recovers
  Run(5);
  Plan(6);
  EXPECT_THAT(FiringSoon(), IsEmpty());
  EXPECT_EQ(QueryOf(story.report).newest_batch, 6);
}

TEST_F(BrokenCheckpoint, TheNewestOffsetsFileHasZeroBytes) {
  Run(41);
  Write("offsets/42", "");
  story.Poll(10s);
  EXPECT_THAT(story.report.findings, IsEmpty()) << "the file before it tells the position";
  EXPECT_EQ(QueryOf(story.report).topics.at(0).partitions.at(0).position, 420);
  EXPECT_THAT(FiringSoon(), ElementsAre("offset_log_unreadable"));
  EXPECT_EQ(QueryOf(story.report).topics.at(0).partitions.at(0).position, 420);
}

TEST_F(BrokenCheckpoint, SparkIsUpdatedAndWritesVersion2) {
  // https://github.com/apache/spark/pull/17070
  Run(12);
  story.query().SetNext(13);
  Write("offsets/13", "v2\n{\"batchTimestampMs\":1796009000000}\n0:{\"t\":{\"0\":140}}");
  Write("commits/13", "v1\n{}");
  EXPECT_THAT(FiringSoon(), IsEmpty());
}

TEST_F(BrokenCheckpoint, ACleanUpTakesTheOldestFile_ThenARestartMakesANewId) {
  // https://github.com/apache/spark/pull/53844
  Run(9);
  story.Poll();
  story.storage.Remove(Path("metadata"));
  EXPECT_THAT(FiringSoon(), ElementsAre("query_id_missing"));
  EXPECT_THAT(The(story.report, "query_id_missing").summary, HasSubstr("11111111-"));
  Write("metadata", R"({"id":"22222222-0000-0000-0000-000000000000"})");
  story.query().Batch({{"t", {{0, 110}}}});
  EXPECT_THAT(FiringSoon(), ElementsAre("query_id_changed"));
}

TEST_F(BrokenCheckpoint, ASecondDriverDiesOfTheFirst_NothingIsLeftButATemporaryFile) {
  // https://www.shuzhiduo.com/A/xl56a607Jr
  Run(14);
  Write("offsets/.14.0d1f5c9e-7f6e-4b39-a9a5-0a7b7c0f2a11.tmp", "v1\n{}\n{\"t\":{\"0\":150}}");
  EXPECT_THAT(FiringSoon(), IsEmpty()) << "a driver that crashed leaves the same";
}

TEST_F(BrokenCheckpoint, ACleanUpIsHalfDone_TheNextBatchNeverEnds) {
  Run(5);
  Plan(6);
  story.PollFor(18min);
  EXPECT_THAT(story.report.findings, IsEmpty());
  EXPECT_THAT(FiringSoon(), ElementsAre("batch_stuck"));
}

TEST_F(BrokenCheckpoint, ARenameFails_TheQueryEndsAsFinished) {
  // https://github.com/delta-io/delta/issues/1396
  story.kafka.Set("t", "A", {{0, {0, 60}}});
  Run(5);
  story.Poll();
  Write("offsets/.6.dbedeeda-0a23-4852-8d56-371a396af442.tmp", "v1\n{}\n{\"t\":{\"0\":70}}");
  for (int minute = 0; minute < 40; ++minute) {
    story.kafka.Produce("t", 0, 10);
    story.Poll(1min);
  }
  EXPECT_THAT(Firing(story.report), ElementsAre("query_stalled"));
  EXPECT_EQ(The(story.report, "query_stalled").severity, Severity::kCritical);
}

TEST_F(BrokenCheckpoint, AStateFileIsGone_TheBatchIsInFlightForEver) {
  Run(31);
  story.Poll();
  Plan(32);
  story.Poll();
  story.kafka.Produce("t", 0, 500);
  story.PollFor(25min);
  EXPECT_THAT(Firing(story.report), ElementsAre("batch_stuck"));
  EXPECT_EQ(The(story.report, "batch_stuck").severity, Severity::kCritical);
}

TEST_F(BrokenCheckpoint, ANightlyCleanUpRemovesTheWholeCheckpoint_TheNightBeginsAtBatch0) {
  // https://github.com/astrolabsoftware/fink-broker/issues/902
  Run(9);
  story.Poll();
  story.query().RemoveAll();
  EXPECT_THAT(FiringSoon(), ElementsAre("checkpoint_missing"));
  story.query().StartOver("22222222-0000-0000-0000-000000000000");
  story.query().Batch({{"t", {{0, 900}}}});
  EXPECT_THAT(FiringSoon(), UnorderedElementsAre("checkpoint_restarted", "query_id_changed"));
}

TEST_F(BrokenCheckpoint, ThreeHundredAbandonedDirectories) {
  for (int i = 0; i < 30; ++i) {
    story.query(fmt::format("temporary-{}", i)).Batch({{"t", {{0, 9}}}});
    story.query(fmt::format("temporary-{}", i)).Plan({{"t", {{0, 19}}}});
  }
  story.Wait(10 * 24h);
  EXPECT_THAT(FiringSoon(), IsEmpty());
}

TEST_F(BrokenCheckpoint, ThousandsOfChecksumFilesPileUp) {
  // https://github.com/apache/spark/pull/25488
  Run(9);
  for (int i = 0; i < 5000; ++i) Write(fmt::format("offsets/..9.{}.tmp.crc", i), "crc");
  EXPECT_THAT(FiringSoon(), IsEmpty());
  EXPECT_EQ(QueryOf(story.report).state, QueryState::kOk);
}

}  // namespace
}  // namespace tidegauge::testing
