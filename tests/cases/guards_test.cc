// Reporting these would be the mistake.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class Guard : public ::testing::Test {
 protected:
  /// Polls for a quarter of an hour; no poll may find anything or doubt anything.
  void ExpectQuiet() {
    for (int poll = 0; poll < 30; ++poll) {
      story.Poll();
      ASSERT_THAT(story.report.findings, IsEmpty())
          << "poll " << poll << ": " << story.report.findings[0].finding.summary;
      ASSERT_EQ(QueryOf(story.report).state, QueryState::kOk)
          << QueryOf(story.report).unknown.at(0);
    }
  }

  Scenario story;
};

TEST_F(Guard, AnIdleTransactionalTopicHasALagOfOneForEver) {
  // https://github.com/apache/spark/pull/20572: the last offset is a control record.
  story.kafka.Set("t", "A", {{0, {0, 1002}}});
  story.query().Batch({{"t", {{0, 1001}}}});
  ExpectQuiet();
}

TEST_F(Guard, ThePositionStandsAtTheLogStart) {
  story.kafka.Set("t", "A", {{0, {700, 900}}});
  story.query().Batch({{"t", {{0, 700}}}});
  ExpectQuiet();
}

TEST_F(Guard, TheLogIsEmptyBecauseAllOfItWasReadAndThenExpired) {
  story.kafka.Set("t", "A", {{0, {900, 900}}});
  story.query().Batch({{"t", {{0, 900}}}});
  ExpectQuiet();
}

TEST_F(Guard, TheNewestBatchIsNotCommittedYet) {
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().SetNext(5);
  story.query().Batch({{"t", {{0, 700}}}});
  story.query().Plan({{"t", {{0, 900}}}});
  ExpectQuiet();
  EXPECT_EQ(QueryOf(story.report).topics.at(0).partitions.at(0).position, 700);
}

TEST_F(Guard, AsynchronousProgressLeavesGapsInBothLogs) {
  // https://github.com/apache/spark/pull/38517
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  Offset position = 0;
  for (const BatchId batch : {0, 2, 5, 9}) {
    story.query().SetNext(batch);
    story.query().Batch({{"t", {{0, position += 100}}}});
  }
  ExpectQuiet();
  EXPECT_EQ(QueryOf(story.report).newest_batch, 9);
}

TEST_F(Guard, ASourceThatHadNoDataYetIsWrittenAsADash) {
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().BatchOfLines({OffsetLine({{"t", {{0, 100}}}}), "-"});
  ExpectQuiet();
}

TEST_F(Guard, BatchesWithoutDataRepeatTheirOffsets) {
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  for (int batch = 0; batch < 4; ++batch) story.query().Batch({{"t", {{0, 100}}}});
  ExpectQuiet();
}

TEST_F(Guard, TemporaryFilesAndChecksumsAreNoBatches) {
  // https://github.com/apache/spark/pull/25488, https://github.com/delta-io/delta/issues/1396
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().Batch({{"t", {{0, 100}}}});
  const std::string root = story.query().path();
  story.storage.Write(root + "/offsets/.1.dbedeeda-0a23-4852-8d56-371a396af442.tmp", "v1\n{\"t");
  story.storage.Write(root + "/offsets/..1.dbedeeda-0a23-4852-8d56-371a396af442.tmp.crc", "crc");
  story.storage.Write(root + "/offsets/.0.crc", "crc");
  story.storage.Write(root + "/offsets/1.tmp", "v1\n");
  story.storage.MakeDirectory(root + "/offsets/lost+found");
  ExpectQuiet();
  EXPECT_EQ(QueryOf(story.report).newest_batch, 0);
}

TEST_F(Guard, SourcesOfAnotherKindAreCountedAndNotJudged) {
  // https://github.com/qubole/kinesis-sql/issues/57
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().BatchOfLines({OffsetLine({{"t", {{0, 100}}}}), R"({"logOffset":7})", "12"});
  ExpectQuiet();
  EXPECT_EQ(QueryOf(story.report).unmonitored_sources, 2u);
}

TEST_F(Guard, OneOfTwoFileSourcesHasNoDataForABatch) {
  // https://github.com/apache/spark/pull/23557: its log then has fewer files, and no hole.
  const std::string root = story.query().path();
  for (int batch = 0; batch < 3; ++batch) {
    story.storage.Write(fmt::format("{}/sources/0/{}", root, batch),
                        "v1\n{\"path\":\"file:///in/a\"}");
    const int other = batch < 2 ? 0 : 1;
    story.storage.Write(fmt::format("{}/sources/1/{}", root, other),
                        "v1\n{\"path\":\"file:///in/b\"}");
    story.query().BatchOfLines(
        {fmt::format(R"({{"logOffset":{}}})", batch), fmt::format(R"({{"logOffset":{}}})", other)});
  }
  ExpectQuiet();
}

TEST_F(Guard, SparkPurgesFilesBetweenListAndRead) {
  story.kafka.Set("t", "A", {{0, {0, 9000}}});
  for (int batch = 0; batch < 5; ++batch) story.query().Batch({{"t", {{0, 100 * (batch + 1)}}}});
  story.storage.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    const bool oldest = call.kind == StorageCall::Kind::kRead && call.path.ends_with("/offsets/0");
    if (oldest) story.storage.Remove(call.path);
    return std::nullopt;
  });
  ExpectQuiet();
}

TEST_F(Guard, AnInstableListingShowsAFileThatCannotBeReadYet) {
  // Object stores before strong consistency: offsets/77 is listed, and absent for some seconds.
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().SetNext(76);
  story.query().Batch({{"t", {{0, 100}}}});
  story.query().Plan({{"t", {{0, 200}}}});
  story.storage.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (call.kind == StorageCall::Kind::kRead && call.path.ends_with("/offsets/77")) {
      return Error{ErrorKind::kNotFound, call.path + ": not found"};
    }
    return std::nullopt;
  });
  story.Poll();
  EXPECT_THAT(story.report.findings, IsEmpty());
  EXPECT_NE(QueryOf(story.report).state, QueryState::kOk) << "but it is not known to be fine";
  story.storage.ClearFaults();
  ExpectQuiet();
}

TEST_F(Guard, AQueryThatAssignsPartitionsLeavesOthersAlone) {
  story.kafka.Set("t", "A", {{0, {0, 900}}, {1, {400, 900}}});
  story.query().Batch({{"t", {{0, 100}}}});
  story.Poll();
  for (int batch = 0; batch < 4; ++batch) {
    story.query().Batch({{"t", {{0, 200 + batch}}}});
    story.Poll();
    EXPECT_THAT(Firing(story.report), IsEmpty());
  }
  ExpectQuiet();
}

TEST_F(Guard, AQueryThatAssignsPartitions_IdleWhenFirstSeen_IsKnownByTheStampsOfTheOthers) {
  story.kafka.Set("t", "A", {{0, {0, 900}}, {1, {400, 900}}});
  story.Wait(1h);
  story.query().Batch({{"t", {{0, 100}}}});
  ExpectQuiet();
}

TEST_F(Guard, PartitionsAreAddedToARunningQuery) {
  story.kafka.Set("t", "A", {{0, {0, 100}}});
  story.query().Batch({{"t", {{0, 100}}}});
  ExpectQuiet();
  story.kafka.AddPartitions("t", 3);
  story.kafka.Produce("t", 2, 5);
  ExpectQuiet();
  story.query().Batch({{"t", {{0, 100}, {1, 0}, {2, 5}, {3, 0}}}});
  ExpectQuiet();
}

TEST_F(Guard, TheOfflineRepartitionOfSpark42GoesBackOnPurpose) {
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().Batch({{"t", {{0, 100}}}});
  story.query().Batch({{"t", {{0, 200}}}});
  const std::string root = story.query().path();
  story.storage.Write(
      root + "/offsets/2",
      fmt::format("v1\n{{\"batchTimestampMs\":{},\"conf\":{{"
                  "\"spark.sql.shuffle.partitions\":\"8\"}}}}\n{}",
                  story.now.time_since_epoch().count(), OffsetLine({{"t", {{0, 100}}}})));
  story.storage.Write(root + "/commits/2", "v1\n{\"nextBatchWatermarkMs\":0}");
  ExpectQuiet();
}

TEST_F(Guard, ASelfUnionWritesItsLineTwiceAndIsOneSource) {
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().WriteInitial({{"t", {{0, 0}}}});
  const std::string line = OffsetLine({{"t", {{0, 100}}}});
  story.query().BatchOfLines({line, line});
  ExpectQuiet();
  EXPECT_THAT(QueryOf(story.report).topics, SizeIs(1));

  story.kafka.Set("t", "B", {{0, {0, 900}}});
  EXPECT_THAT(Firing(story.Poll()), ElementsAre("topic_recreated")) << "once";
}

TEST_F(Guard, AbandonedCheckpointsOfTopicsThatStillExistAreQuiet) {
  // https://kb.databricks.com/streaming/checkpoint-no-cleanup-foreachbatch
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  for (int i = 0; i < 30; ++i) story.query(fmt::format("temporary-{}", i)).Batch({{"t", {{0, 9}}}});
  story.Wait(48h);
  story.Poll();
  story.PollFor(15min);
  EXPECT_THAT(story.report.findings, IsEmpty());
}

TEST_F(Guard, AListingThatLacksATopicOnceIsNotADeletion) {
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().Batch({{"t", {{0, 100}}}});
  story.Poll();
  for (int round = 0; round < 5; ++round) {
    story.kafka.AnswerOddly([](ClusterAnswer& answer) {
      answer.topics.at("t") = {.presence = TopicPresence::kMissing};
    });
    ExpectQuiet();
  }
}

TEST_F(Guard, ATopicListedOnceWithoutItsPartitions) {
  story.kafka.Set("t", "A", {{0, {0, 900}}});
  story.query().Batch({{"t", {{0, 100}}}});
  story.Poll();
  story.kafka.AnswerOddly([](ClusterAnswer& answer) { answer.topics.at("t").partitions.clear(); });
  ExpectQuiet();
}

}  // namespace
}  // namespace tidegauge::testing
