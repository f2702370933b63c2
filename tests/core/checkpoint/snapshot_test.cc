#include "core/checkpoint/snapshot.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/checkpoint/checkpoint_fixture.h"

namespace tidegauge {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Kind = Damage::Kind;

class Snapshot : public CheckpointFixture {};

// ------------------------------------------------------------------ micro-batch: L and C

TEST_F(Snapshot, NewestIsCommitted) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Batch(1, {T(10)});
  const auto read = MustRead();
  EXPECT_EQ(read->query_id, "6eca668f-64be-4c5d-8fe4-404f4c70938b");
  EXPECT_EQ(read->newest_batch, 1);
  EXPECT_EQ(read->committed_batch, 1);
  EXPECT_EQ(OnlyOffset(read->position), 10);
  EXPECT_EQ(OnlyBatch(read->position), 1);
  EXPECT_EQ(read->position_at, Time(Duration(kFirstBatchMs + 60'000)));
  EXPECT_EQ(read->newest_batch_at, read->position_at);
  EXPECT_THAT(read->in_flight, IsEmpty());
  EXPECT_THAT(read->problems, IsEmpty());
  EXPECT_FALSE(read->continuous);
  EXPECT_EQ(read->kafka_sources, 1u);
  EXPECT_EQ(OnlyOffset(read->position_start), 5);
}

TEST_F(Snapshot, NewestIsInFlight) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Batch(1, {T(10)}).Offsets(2, {T(20)});
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 10);
  EXPECT_EQ(OnlyBatch(read->position), 1);
  EXPECT_EQ(OnlyOffset(read->in_flight), 20);
  EXPECT_EQ(OnlyBatch(read->in_flight), 2);
  EXPECT_EQ(read->newest_batch_at, Time(Duration(kFirstBatchMs + 120'000)));
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Snapshot, CommitsTrailFarBehind) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)});
  write_.Offsets(1, {T(10)}).Offsets(2, {T(15)}).Offsets(3, {T(20)});
  const auto read = MustRead();
  EXPECT_EQ(read->committed_batch, 0);
  EXPECT_EQ(OnlyOffset(read->position), 15) << "only batch 3 is run again";
  EXPECT_EQ(OnlyOffset(read->in_flight), 20);
}

TEST_F(Snapshot, NoCommitsAtAll) {
  write_.Metadata().Initial("0", T(0)).Offsets(0, {T(5)}).Offsets(1, {T(10)});
  const auto read = MustRead();
  EXPECT_EQ(read->committed_batch, std::nullopt);
  EXPECT_EQ(OnlyOffset(read->position), 5);
  EXPECT_EQ(OnlyOffset(read->in_flight), 10);
  storage_.MakeDirectory("/c/commits");
  EXPECT_EQ(OnlyOffset(MustRead()->position), 5) << "an empty directory is the same";
}

TEST_F(Snapshot, FirstBatchIsInFlight) {
  write_.Metadata().Initial("0", T(3)).Offsets(0, {T(5)});
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 3);
  EXPECT_EQ(OnlyBatch(read->position), -1);
  EXPECT_EQ(read->position_at, std::nullopt);
  EXPECT_EQ(OnlyOffset(read->in_flight), 5);
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Snapshot, CommitsAheadOfOffsets) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Batch(1, {T(10)}).Commit(2).Commit(3);
  const auto read = MustRead();
  EXPECT_EQ(read->newest_batch, 1);
  EXPECT_EQ(read->committed_batch, 3);
  EXPECT_EQ(OnlyOffset(read->position), 5) << "batch 1 is run again";
  EXPECT_EQ(OnlyOffset(read->in_flight), 10);
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("Concurrent update to the log")));
}

TEST_F(Snapshot, CommitsAheadOfTheFirstBatch) {
  write_.Metadata().Initial("0", T(1)).Batch(0, {T(5)}).Commit(1);
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 1);
  EXPECT_EQ(OnlyOffset(read->in_flight), 5);
  EXPECT_EQ(read->problems.size(), 1u);
}

TEST_F(Snapshot, OffsetsAreGoneButCommitsAreNot) {
  write_.Metadata().Initial("0", T(2)).Commit(4).Commit(5);
  const auto read = MustRead();
  EXPECT_EQ(read->newest_batch, std::nullopt);
  EXPECT_EQ(OnlyOffset(read->position), 2) << "a restart begins again";
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("offsets is empty")));
}

TEST_F(Snapshot, StartedButNoBatchYet) {
  write_.Metadata().Initial("0", T(2));
  storage_.MakeDirectory("/c/offsets");
  const auto read = MustRead();
  EXPECT_EQ(read->newest_batch, std::nullopt);
  EXPECT_EQ(OnlyOffset(read->position), 2);
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Snapshot, OnlyMetadata) {
  write_.Metadata();
  const auto read = MustRead();
  EXPECT_THAT(read->position, IsEmpty());
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Snapshot, NoCheckpoint) {
  EXPECT_EQ(ErrorOf(Read()), ErrorKind::kNotFound) << "no directory";
  storage_.MakeDirectory("/c");
  EXPECT_EQ(Fatal().kind, Kind::kEmpty) << "an empty one";
  write_.File("part-00000.parquet", "PAR1").Commit(3);
  EXPECT_EQ(Fatal().kind, Kind::kEmpty) << "something else";
  storage_.Remove("/c");
  storage_.Write("/c", "a file");
  EXPECT_EQ(ErrorOf(Read()), ErrorKind::kNotFound);
}

// ------------------------------------------------------------------ files that a restart needs

TEST_F(Snapshot, BatchBeforeTheCommittedOneIsLost) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Commit(1).Batch(2, {T(15)});
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 15);
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("batch 1 doesn't exist")));
}

TEST_F(Snapshot, OffsetsOfTheCommitAreLostWhileTheNextIsInFlight) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Commit(1).Offsets(2, {T(15)});
  EXPECT_EQ(Fatal(), (Damage{Kind::kOffsetsLost, "offsets/1", 1, "missing"}))
      << "offsets/0 would be a wrong position";
  EXPECT_THAT(MustRead()->problems, ElementsAre(HasSubstr("batch 1 doesn't exist")));
}

TEST_F(Snapshot, OnlyAnUncommittedLaterBatchIsLeft) {
  write_.Metadata().Initial("0", T(0)).Offsets(7, {T(70)});
  EXPECT_EQ(Fatal().batch, 6) << "sources/0/0 would be a wrong position";
  write_.Commit(6);
  EXPECT_EQ(Fatal().batch, 6);
  write_.Commit(7);
  EXPECT_EQ(OnlyOffset(MustRead()->position), 70);
}

TEST_F(Snapshot, AllButOneBatchMayBePurged) {
  write_.Metadata().Initial("0", T(0)).Batch(12, {T(120)}).Batch(13, {T(130)});
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 130);
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Snapshot, NewestIsUnreadableAndCommitted) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Commit(1).File("offsets/1", "");
  EXPECT_EQ(Fatal(), (Damage{Kind::kOffsetsUnreadable, "offsets/1", 1, "empty"}));
  EXPECT_THAT(MustRead()->problems, ElementsAre("/c/offsets/1: empty"));
  write_.File("offsets/1", "v9\n{}\n{}");
  EXPECT_EQ(Fatal().kind, Kind::kVersion);
}

TEST_F(Snapshot, NewestIsUnreadableButInFlight) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Batch(1, {T(10)});
  for (const std::string text : {"", "v1", "v1\n{}\n{\"t\":{\"0\":", "v9\n{}\n{}"}) {
    write_.File("offsets/2", text);
    const auto read = MustRead();
    EXPECT_EQ(OnlyOffset(read->position), 10) << text;
    EXPECT_THAT(read->in_flight, IsEmpty()) << text;
    EXPECT_THAT(read->problems, ElementsAre(HasSubstr("/c/offsets/2: "))) << text;
    EXPECT_EQ(read->newest_batch, 2);
    EXPECT_EQ(read->newest_batch_at, kNow - std::chrono::hours(1)) << "the file's own time";
  }
}

TEST_F(Snapshot, PositionIsUnreadable) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Commit(1).File("offsets/1", "v1");
  write_.Offsets(2, {T(20)});
  EXPECT_EQ(Fatal().file, "offsets/1");
}

TEST_F(Snapshot, CommitIsUnreadable) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Batch(1, {T(10)});
  write_.File("commits/1", "");
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 10) << "Spark goes by the name";
  EXPECT_THAT(read->problems, ElementsAre("/c/commits/1: empty"));
}

TEST_F(Snapshot, MetadataIsMissingOrTorn) {
  write_.Initial("0", T(0)).Batch(0, {T(5)});
  EXPECT_EQ(MustRead()->query_id, "");
  EXPECT_THAT(MustRead()->problems, IsEmpty()) << "a missing one is for a detector to judge";
  write_.File("metadata", "{\"id\":");
  const auto read = MustRead();
  EXPECT_EQ(read->query_id, "");
  EXPECT_EQ(OnlyOffset(read->position), 5);
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("/c/metadata: ")));
}

TEST_F(Snapshot, HugeFileIsNotRead) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)});
  write_.File("offsets/1", std::string(kMaxBatchFileBytes + 1, 'x'));
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 5);
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("more than")));
}

// ------------------------------------------------------------------ other ways to run

TEST_F(Snapshot, AsynchronousProgressLeavesGapsInBothLogs) {
  write_.Metadata().Initial("0", T(0));
  for (const BatchId batch : {0, 3, 8, 13, 18}) write_.Batch(batch, {T(batch * 10)});
  auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 180);
  EXPECT_THAT(read->problems, IsEmpty());
  write_.Offsets(22, {T(220)});
  read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 180) << "the previous one is the previous file";
  EXPECT_EQ(OnlyOffset(read->in_flight), 220);
  write_.Offsets(25, {T(250)});
  EXPECT_EQ(OnlyOffset(MustRead()->position), 220) << "commits are queued, too";
  EXPECT_THAT(MustRead()->problems, IsEmpty());
}

class ContinuousSnapshot : public CheckpointFixture {
 protected:
  void Epoch(BatchId epoch, Offset offset) {
    write_.File("offsets/" + std::to_string(epoch),
                OffsetsFile{.lines = {T(offset)}, .planned_ms = 0}.Text());
  }
};

TEST_F(ContinuousSnapshot, PositionIsThatOfTheCommit) {
  write_.Metadata().Commit(3).Commit(4);
  for (const BatchId epoch : {3, 4, 5, 6}) Epoch(epoch, epoch * 10);
  const auto read = MustRead();
  EXPECT_TRUE(read->continuous);
  EXPECT_EQ(OnlyOffset(read->position), 40);
  EXPECT_EQ(read->position_at, std::nullopt);
  EXPECT_THAT(read->in_flight, IsEmpty()) << "what is above the commit is ignored";
  EXPECT_EQ(read->newest_batch_at, kNow - std::chrono::hours(1));
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(ContinuousSnapshot, CommitWithoutItsOffsets) {
  write_.Metadata().Commit(4);
  for (const BatchId epoch : {3, 5}) Epoch(epoch, epoch * 10);
  EXPECT_EQ(Fatal(), (Damage{Kind::kEpochLost, "offsets/4", 4, "missing"}));
}

TEST_F(ContinuousSnapshot, TheModeIsKnownFromTheEpochBeforeAnUnreadableOne) {
  write_.Metadata().Commit(3);
  for (const BatchId epoch : {3, 4}) Epoch(epoch, epoch * 10);
  write_.File("offsets/5", "");
  EXPECT_EQ(OnlyOffset(MustRead()->position), 30);
}

TEST_F(ContinuousSnapshot, NothingCommittedYet) {
  write_.Metadata();
  Epoch(0, 10);
  const auto read = MustRead();
  EXPECT_THAT(read->position, IsEmpty()) << "it starts from the query's options";
}

// ------------------------------------------------------------------ sources

TEST_F(Snapshot, SourcesOfManyKinds) {
  write_.Metadata().Initial("0", R"({"a":{"0":0}})").Initial("2", R"({"b":{"0":0}})");
  write_.File("sources/1/0", "v1\n{\"path\":\"file:///in/f\",\"timestamp\":1,\"batchId\":0}");
  write_.Batch(0, {R"({"a":{"0":4}})", R"({"logOffset":0})", R"({"b":{"0":5}})"});
  const auto read = MustRead();
  EXPECT_EQ(read->position,
            (std::vector<SourceTopic>{{.topic = "a", .offsets = {{0, 4}}, .batch = 0},
                                      {.topic = "b", .offsets = {{0, 5}}, .batch = 0}}));
  EXPECT_EQ(read->kafka_sources, 2u);
  EXPECT_EQ(read->unmonitored_sources, 1u);
  EXPECT_EQ(read->undecided_sources, 0u);
}

TEST_F(Snapshot, SelfUnionIsOneSource) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5), T(5)}).Offsets(1, {T(9), T(9)});
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 5);
  EXPECT_EQ(OnlyOffset(read->in_flight), 9);
  EXPECT_EQ(read->kafka_sources, 1u);
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Snapshot, TwoSourcesReadOneTopic) {
  write_.Metadata().Initial("0", T(0)).Initial("1", T(0)).Batch(0, {T(5), T(8)});
  const auto read = MustRead();
  ASSERT_EQ(read->position.size(), 2u);
  EXPECT_EQ(read->position[0].source, "0");
  EXPECT_EQ(read->position[0].offsets, (PartitionOffsets{{0, 5}}));
  EXPECT_EQ(read->position[1].source, "1");
  EXPECT_EQ(read->position[1].offsets, (PartitionOffsets{{0, 8}}));
}

TEST_F(Snapshot, FewerLinesThanBatchBefore) {
  write_.Metadata().Batch(0, {R"({"a":{"0":4}})", R"({"b":{"0":5}})"});
  write_.Batch(1, {R"({"a":{"0":6}})"});
  EXPECT_THAT(MustRead()->problems, ElementsAre(HasSubstr("/c/offsets/1: 1 source lines")));
  storage_.Remove("/c/commits/1");
  const auto read = MustRead();
  EXPECT_EQ(read->position.size(), 2u);
  EXPECT_THAT(read->problems, ElementsAre(HasSubstr("/c/offsets/1: 1 source lines")));
}

TEST_F(Snapshot, OldChangesOfTheNumberOfSourcesAreHistory) {
  write_.Metadata().Batch(0, {R"({"a":{"0":4}})", R"({"b":{"0":5}})"});
  write_.Batch(1, {R"({"a":{"0":6}})"}).Batch(2, {R"({"a":{"0":7}})"});
  EXPECT_THAT(MustRead()->problems, IsEmpty());
}

TEST_F(Snapshot, FewerLinesThanSourcesInTheOnlyBatch) {
  write_.Metadata().Initial("0", R"({"a":{"0":0}})").Initial("1", R"({"b":{"0":0}})");
  write_.Offsets(0, {R"({"a":{"0":4}})"});
  EXPECT_THAT(MustRead()->problems, ElementsAre(HasSubstr("2 sources have begun")));
  write_.Commit(0);
  EXPECT_THAT(MustRead()->problems, ElementsAre(HasSubstr("sources/1 reads topic b")));
}

TEST_F(Snapshot, EveryPartitionVanished) {
  write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Batch(1, {"{}"});
  const auto read = MustRead();
  EXPECT_THAT(read->position, IsEmpty());
  EXPECT_EQ(read->undecided_sources, 1u);
  ASSERT_EQ(read->steps.size(), 1u);
  EXPECT_EQ(read->steps[0].kind, BatchStep::Kind::kSourceEmptied);
}

}  // namespace
}  // namespace tidegauge
