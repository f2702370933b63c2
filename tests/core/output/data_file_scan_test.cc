#include "core/output/data_file_scan.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "core/sinklog/compaction.h"
#include "core/sinklog/query_logs.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

constexpr Time kNow{std::chrono::seconds(1'796'000'000)};

/// A sink /out: batch N writes part-N, of ten bytes, and is over a minute after it began.
class DataFileScanTest : public ::testing::Test {
 protected:
  std::string Entry(const std::string& uri, Time modified, int size = 10) {
    return fmt::format(
        "\n{{\"path\":\"{}\",\"size\":{},\"isDir\":false,\"modificationTime\":{},"
        "\"blockReplication\":1,\"blockSize\":1,\"action\":\"add\"}}",
        uri, size, modified.time_since_epoch().count());
  }
  void DataFile(const std::string& below, int size = 10) {
    storage_.Write("/out/" + below, std::string(static_cast<std::size_t>(size), 'x'));
  }
  /// A batch that writes `below`.
  void Batch(const std::string& below) {
    now_ += 30s;
    storage_.SetClock(now_);
    DataFile(below);
    entries_ += Entry(root_ + "/" + below, now_);
    now_ += 30s;
    storage_.SetClock(now_);
    const BatchId batch = newest_ + 1;
    const bool compacts = Compacts(batch, 10);
    storage_.Write("/out/_spark_metadata/" + LogFileName(batch, 10),
                   "v1" + (compacts ? entries_ : Entry(root_ + "/" + below, now_ - 30s)));
    newest_ = planned_ = batch;
  }
  void Batches(int count) {
    for (int i = 0; i < count; ++i) Batch(fmt::format("part-{}", newest_ + 1));
  }
  /// One poll.
  DataFileScanView Step() {
    Checkpoint checkpoint;
    checkpoint.newest_batch = planned_;
    checkpoint.committed_batch = newest_;
    const QueryLogs logs = ReadLogs(storage_, checkpoint, "/out", {.sink = 10}, {}, now_);
    scan_.Step(storage_, ***logs.sink, checkpoint, limits_, now_);
    return scan_.View();
  }
  /// A whole scan, that begins some time after the last batch.
  DataFiles Scan() {
    now_ += 2h;
    for (int step = 0; step < 1000; ++step) {
      const DataFileScanView view = Step();
      EXPECT_EQ(view.error, "");
      if (view.progress == 1) return view.last == nullptr ? DataFiles() : *view.last;
    }
    ADD_FAILURE() << "the scan does not end";
    return {};
  }

  MemoryStorage storage_;
  Time now_ = kNow;
  std::string root_ = "file:///out";
  std::string entries_;
  BatchId newest_ = -1;
  BatchId planned_ = -1;
  ScanLimits limits_;
  DataFileScan scan_{"/out"};
};

TEST_F(DataFileScanTest, AHealthyOutputHasNothingWrong) {
  Batches(12);
  Batch("day=1/hour=2/part-x");
  const DataFiles files = Scan();
  EXPECT_EQ(files.listed, 13u);
  EXPECT_EQ(files.listed_bytes, 130u);
  EXPECT_EQ(files.root, "/out");
  EXPECT_THAT(files.missing.names, IsEmpty());
  EXPECT_THAT(files.truncated.names, IsEmpty());
  EXPECT_THAT(files.outside.names, IsEmpty());
  EXPECT_THAT(files.orphans.names, IsEmpty());
}

TEST_F(DataFileScanTest, NamesWhatIsMissingAndWhatIsOfAnotherSize) {
  Batches(12);
  storage_.Remove("/out/part-3");
  storage_.Remove("/out/part-11");
  DataFile("part-5", 9);
  DataFile("part-6", 11);
  const DataFiles files = Scan();
  EXPECT_EQ(files.missing.count, 2u);
  EXPECT_THAT(files.missing.names, ElementsAre("part-3", "part-11"));
  EXPECT_THAT(files.truncated.names, ElementsAre("part-5", "part-6"));
  EXPECT_EQ(files.truncated_example, "part-5 has 9 bytes, where the log says 10");
}

TEST_F(DataFileScanTest, PathsAreDecodedOnce) {
  Batches(1);
  storage_.SetClock(now_ += 1min);
  DataFile("day=1%3A2/part b");
  storage_.Write("/out/_spark_metadata/1", "v1" + Entry("file:///out/day=1%253A2/part%20b", now_));
  newest_ = planned_ = 1;
  const DataFiles files = Scan();
  EXPECT_EQ(files.listed, 2u);
  EXPECT_THAT(files.missing.names, IsEmpty());
  EXPECT_THAT(files.orphans.names, IsEmpty());
}

TEST_F(DataFileScanTest, WhatAFailedAttemptLeftIsAnOrphan) {
  Batches(3);
  DataFile("part-left");
  DataFile("day=1/part-left", 7);
  Batches(1);
  const DataFiles files = Scan();
  EXPECT_THAT(files.orphans.names, UnorderedElementsAre("part-left", "day=1/part-left"));
  EXPECT_EQ(files.orphan_bytes, 17u);
  EXPECT_FALSE(files.orphans_are_newest);
}

TEST_F(DataFileScanTest, AFileOfAnotherWriterIsYoungerThanAllThatIsListed) {
  Batches(3);
  storage_.SetClock(now_ += 10min);
  DataFile("part-a.parquet");
  const DataFiles files = Scan();
  EXPECT_THAT(files.orphans.names, ElementsAre("part-a.parquet"));
  EXPECT_TRUE(files.orphans_are_newest);
}

TEST_F(DataFileScanTest, TheFilesOfABatchThatRunsAreNoOrphans) {
  Batches(3);
  ++planned_;
  storage_.SetClock(now_ += 30s);
  DataFile("part-3");
  EXPECT_THAT(Scan().orphans.names, IsEmpty());
}

TEST_F(DataFileScanTest, WhatRetentionDroppedFromTheLogIsNoOrphan) {
  Batches(5);
  entries_.clear();
  Batches(5);  // 9.compact lists part-5 to part-9
  EXPECT_THAT(Scan().orphans.names, IsEmpty());
}

TEST_F(DataFileScanTest, HiddenFilesAndFoldersThatAreNoPartitionsAreNotLookedInto) {
  Batches(2);
  DataFile("_SUCCESS");
  DataFile(".part-0.crc");
  DataFile("checkpoint/offsets/0");
  DataFile("day=1/_spark_metadata/0");  // https://github.com/apache/spark/pull/17346
  Batches(1);
  EXPECT_THAT(Scan().orphans.names, IsEmpty());
}

TEST_F(DataFileScanTest, AfterAMoveTheOldEntriesPointOutside) {
  root_ = "file:///old/out";
  Batches(2);
  root_ = "file:///out";
  Batches(1);
  const DataFiles files = Scan();
  EXPECT_EQ(files.root, "/out");
  EXPECT_THAT(files.outside.names, ElementsAre("/old/out/part-0", "/old/out/part-1"));
  EXPECT_THAT(files.missing.names, IsEmpty());
}

TEST_F(DataFileScanTest, AnotherNameOfTheMountIsNoMove) {
  root_ = "hdfs://namenode:8020/warehouse/out";
  Batches(3);
  const DataFiles files = Scan();
  EXPECT_EQ(files.root, "/warehouse/out");
  EXPECT_THAT(files.outside.names, IsEmpty());
  EXPECT_THAT(files.missing.names, IsEmpty());
  EXPECT_THAT(files.orphans.names, IsEmpty());
}

TEST_F(DataFileScanTest, AStepLooksAtSoManyFilesAndTheNextGoesOn) {
  Batches(30);
  storage_.Remove("/out/part-29");
  limits_.files = 4;
  now_ += 1h;
  double progress = 0;
  int steps = 0;
  for (DataFileScanView view = Step(); view.progress < 1; view = Step()) {
    EXPECT_GE(view.progress, progress);
    progress = view.progress;
    EXPECT_EQ(view.last, nullptr) << "half a scan says nothing";
    ++steps;
  }
  EXPECT_GE(steps, 7) << "30 files, four in each step";
  EXPECT_THAT(scan_.View().last->missing.names, ElementsAre("part-29"));
  EXPECT_EQ(scan_.View().last->listed, 30u);
}

TEST_F(DataFileScanTest, TheCallsOfAStepAreBounded) {
  Batches(200);
  limits_.files = 10;
  now_ += 1h;
  Checkpoint checkpoint;
  checkpoint.newest_batch = checkpoint.committed_batch = newest_;
  const QueryLogs logs = ReadLogs(storage_, checkpoint, "/out", {.sink = 10}, {}, now_);
  for (int step = 0; step < 30; ++step) {
    storage_.ResetCalls();
    scan_.Step(storage_, ***logs.sink, checkpoint, limits_, now_);
    EXPECT_LE(
        storage_.CallCount(StorageCall::Kind::kStat) + storage_.CallCount(StorageCall::Kind::kList),
        10u);
    EXPECT_LE(storage_.CallCount(StorageCall::Kind::kRead), 13u) << "the log has ten files";
  }
  EXPECT_NE(scan_.View().last, nullptr);
}

TEST_F(DataFileScanTest, GoesOnWhereItWasWhenTheLogIsCompacted) {
  Batches(15);
  storage_.Remove("/out/part-2");
  storage_.Remove("/out/part-13");
  limits_.files = 5;
  now_ += 1h;
  Step();
  EXPECT_LT(scan_.View().progress, 1);
  Batches(25);
  for (const char* name : {"9.compact", "10", "11", "12", "13", "14", "19.compact"}) {
    storage_.Remove(std::string("/out/_spark_metadata/") + name);
  }
  DataFiles files;
  for (int step = 0; step < 100 && scan_.View().last == nullptr; ++step) {
    EXPECT_EQ(Step().error, "");
  }
  ASSERT_NE(scan_.View().last, nullptr);
  files = *scan_.View().last;
  EXPECT_THAT(files.missing.names, ElementsAre("part-2", "part-13"));
  EXPECT_EQ(files.listed, 40u);
  EXPECT_THAT(files.orphans.names, IsEmpty());
}

TEST_F(DataFileScanTest, ADamagedLogIsNoGroundToJudge) {
  Batches(4);
  storage_.Remove("/out/_spark_metadata/2");
  now_ += 1h;
  const DataFileScanView view = Step();
  EXPECT_EQ(view.last, nullptr);
  EXPECT_THAT(view.error, HasSubstr("/out/_spark_metadata/2 is missing or damaged"));
}

TEST_F(DataFileScanTest, AnEmptyLogHasNothingToScan) {
  storage_.MakeDirectory("/out/_spark_metadata");
  const DataFileScanView view = Step();
  EXPECT_EQ(view.last, nullptr);
  EXPECT_EQ(view.error, "");
}

TEST_F(DataFileScanTest, WhatIsNotAnsweredIsNeitherMissingNorFine) {
  Batches(4);
  storage_.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (call.path != "/out/part-2") return std::nullopt;
    return Error{ErrorKind::kDenied, call.path + ": permission denied"};
  });
  now_ += 1h;
  const DataFileScanView view = Step();
  EXPECT_EQ(view.last, nullptr);
  EXPECT_EQ(view.error, "/out/part-2: permission denied");
  storage_.ClearFaults();
  EXPECT_THAT(Scan().missing.names, IsEmpty());
}

TEST_F(DataFileScanTest, OneOddAnswerIsNoLoss) {
  Batches(4);
  int asked = 0;
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.path != "/out/part-2" || ++asked > 1) return std::nullopt;
    return Error{ErrorKind::kNotFound, call.path + ": not there"};
  });
  EXPECT_THAT(Scan().missing.names, IsEmpty());
}

TEST_F(DataFileScanTest, BeginsAnewAfterTheIntervalOnly) {
  Batches(4);
  Scan();
  storage_.Remove("/out/part-1");
  now_ += 59min;
  EXPECT_THAT(Step().last->missing.names, IsEmpty());
  now_ += 1min;
  EXPECT_THAT(Step().last->missing.names, ElementsAre("part-1"));
}

TEST_F(DataFileScanTest, LooksAgainAtOnceAtWhatIsMissing) {
  Batches(4);
  storage_.Remove("/out/part-1");
  EXPECT_THAT(Scan().missing.names, ElementsAre("part-1"));
  DataFile("part-1");
  now_ += 30s;
  EXPECT_THAT(Step().last->missing.names, IsEmpty());
}

}  // namespace
}  // namespace tidegauge::testing
