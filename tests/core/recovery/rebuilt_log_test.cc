#include "core/recovery/rebuilt_log.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/recovery/log_input.h"
#include "core/sinklog/query_logs.h"
#include "tests/support/memory_storage.h"

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Time kNow{std::chrono::seconds(1'796'000'000)};

/// A sink /out of a query that has committed `committed`, each batch N having written part-N.
class RebuiltLogTest : public ::testing::Test {
 protected:
  void Wrote(BatchId first, BatchId last) {
    for (BatchId batch = first; batch <= last; ++batch) {
      storage.Write(fmt::format("/out/part-{}", batch), "data");
    }
  }
  void Logged(const std::string& name, BatchId first, BatchId last,
              const std::string& root = "file:///out") {
    std::string text = "v1";
    for (BatchId batch = first; batch <= last; ++batch) {
      text += fmt::format(
          "\n{{\"path\":\"{}/part-{}\",\"size\":4,\"isDir\":false,"
          "\"modificationTime\":1,\"blockReplication\":1,\"blockSize\":1,"
          "\"action\":\"add\"}}",
          root, batch);
    }
    storage.Write("/out/_spark_metadata/" + name, text);
  }
  LogView View(BatchId committed, std::int64_t interval = 10) {
    Checkpoint checkpoint;
    checkpoint.newest_batch = checkpoint.committed_batch = committed;
    const QueryLogs logs = ReadLogs(storage, checkpoint, "/out", {.sink = interval}, {}, kNow);
    return ViewLogs(logs, checkpoint, kNow).at(0);
  }
  RebuiltLog Rebuild(const LogView& log, std::optional<Time> unfinished_since = {}) {
    auto rebuilt = RebuildLog(storage, site, log, unfinished_since);
    EXPECT_TRUE(rebuilt) << rebuilt.error().message;
    return rebuilt ? *rebuilt : RebuiltLog();
  }
  static std::vector<std::string> Names(const RebuiltLog& rebuilt) {
    std::vector<std::string> names;
    for (const PlanFile& file : rebuilt.files) names.push_back(file.name);
    return names;
  }

  testing::MemoryStorage storage;
  Site site{"/checkpoint", "/out", ""};
};

TEST_F(RebuiltLogTest, AWholeLogNeedsNothing) {
  Wrote(0, 3);
  for (BatchId batch = 0; batch <= 3; ++batch) Logged(fmt::format("{}", batch), batch, batch);
  EXPECT_THAT(Rebuild(View(3)).files, IsEmpty());
}

TEST_F(RebuiltLogTest, TheFirstLostFileListsWhatNobodyElseLists) {
  Wrote(0, 4);
  Logged("2", 2, 2);
  Logged("3", 3, 3);
  Logged("4", 4, 4);
  const RebuiltLog rebuilt = Rebuild(View(4));
  EXPECT_THAT(Names(rebuilt), ElementsAre("_spark_metadata/0", "_spark_metadata/1"));
  EXPECT_EQ(rebuilt.listed, 2u);
  EXPECT_THAT(rebuilt.files[0].content, HasSubstr("\"path\":\"file:///out/part-0\",\"size\":4,"));
  EXPECT_THAT(rebuilt.files[0].content, HasSubstr("part-1"));
  EXPECT_THAT(rebuilt.files[0].content, Not(HasSubstr("part-2")));
  EXPECT_EQ(rebuilt.files[1].content, "v1");
}

TEST_F(RebuiltLogTest, ADeletedLogIsMadeAgainFromItsLastCompactFileOn) {
  Wrote(0, 11);
  const RebuiltLog rebuilt = Rebuild(View(11));
  EXPECT_THAT(Names(rebuilt),
              ElementsAre("_spark_metadata/9.compact", "_spark_metadata/10", "_spark_metadata/11"));
  EXPECT_EQ(rebuilt.listed, 12u);
}

TEST_F(RebuiltLogTest, ALoneLaterCompactFileGetsACompanionThatKeepsTheInterval) {
  Wrote(0, 20);
  const RebuiltLog rebuilt = Rebuild(View(20));
  EXPECT_THAT(Names(rebuilt), ElementsAre("_spark_metadata/9.compact", "_spark_metadata/19.compact",
                                          "_spark_metadata/20"));
  EXPECT_EQ(rebuilt.files[0].content, "v1");
  EXPECT_THAT(rebuilt.files[1].content, HasSubstr("part-20"));
}

TEST_F(RebuiltLogTest, ADamagedFileIsReplaced) {
  Wrote(0, 2);
  Logged("0", 0, 0);
  storage.Write("/out/_spark_metadata/1", "");
  Logged("2", 2, 2);
  const RebuiltLog rebuilt = Rebuild(View(2));
  EXPECT_THAT(Names(rebuilt), ElementsAre("_spark_metadata/1"));
  EXPECT_EQ(rebuilt.listed, 1u);
}

TEST_F(RebuiltLogTest, HiddenFilesAndAnUnfinishedBatchAreLeftOut) {
  Wrote(0, 1);
  storage.Write("/out/.part-0.crc", "x");
  storage.Write("/out/_SUCCESS", "");
  storage.Write("/out/day=1/part-a b", "data");
  storage.Write("/out/part-attempt", "data");
  storage.SetModified("/out/part-attempt", kNow + std::chrono::hours(1));
  const RebuiltLog rebuilt = Rebuild(View(1), kNow + std::chrono::hours(1));
  EXPECT_EQ(rebuilt.listed, 3u);
  EXPECT_THAT(rebuilt.files[0].content, HasSubstr("file:///out/day=1/part-a%20b"));
  EXPECT_THAT(rebuilt.files[0].content, Not(HasSubstr("attempt")));
}

TEST_F(RebuiltLogTest, PathsAreThoseOfTheLogWhereItIsMountedElsewhere) {
  Wrote(0, 1);
  Logged("1", 1, 1, "hdfs://nn:8020/data/out");
  EXPECT_THAT(Rebuild(View(1)).files.at(0).content,
              HasSubstr("\"hdfs://nn:8020/data/out/part-0\""));
}

TEST_F(RebuiltLogTest, WithoutAnEntryLeftPathsAreThoseOfTheFileSystem) {
  Wrote(0, 1);
  EXPECT_THAT(Rebuild(View(1)).files.at(0).content, HasSubstr("\"file:///out/part-0\""));
  site = Site("/mnt/hdfs/checkpoint", "/mnt/hdfs/a b", "/mnt/hdfs/");
  EXPECT_EQ(site.SinkUri(), "hdfs:///a%20b");
  site = Site("/mnt/hdfs/checkpoint", "/mnt/hdfs2/out", "/mnt/hdfs");
  EXPECT_EQ(site.SinkUri(), "file:///mnt/hdfs2/out");
}

TEST_F(RebuiltLogTest, ACheckpointInTheOutputDirectoryIsNoData) {
  Wrote(0, 1);
  storage.Write("/out/checkpoint/offsets/0", "v1");
  EXPECT_EQ(Rebuild(View(1)).listed, 2u);
}

TEST_F(RebuiltLogTest, AnUnfinishedBatchThatTheLogHasKeepsItsFiles) {
  Wrote(0, 1);
  Logged("0", 0, 0);
  storage.Write("/out/_spark_metadata/1", "");
  storage.SetModified("/out/part-1", kNow);
  Checkpoint checkpoint;
  checkpoint.newest_batch = 1;
  checkpoint.committed_batch = 0;
  const QueryLogs logs = ReadLogs(storage, checkpoint, "/out", {.sink = 10}, {}, kNow);
  const LogView log = ViewLogs(logs, checkpoint, kNow).at(0);
  EXPECT_EQ(ReadLogInput(storage, site, log, 1, kNow).rebuilt.value().listed, 1u);
}

TEST_F(RebuiltLogTest, ALogIsNotSetBackToNothing) {
  for (BatchId batch = 7; batch <= 9; ++batch) Logged(fmt::format("{}", batch), batch, batch);
  EXPECT_THAT(ReadLogInput(storage, site, View(3), 3, {}).beyond, IsEmpty());
}

TEST_F(RebuiltLogTest, ALogOfAnotherDirectoryIsRefused) {
  Wrote(0, 0);
  Logged("1", 7, 7, "file:///elsewhere");
  EXPECT_FALSE(RebuildLog(storage, site, View(1), {}));
}

TEST_F(RebuiltLogTest, BatchesBeyondTheCheckpointCanGoWhereTheRestIsWhole) {
  for (BatchId batch = 0; batch <= 3; ++batch) Logged(fmt::format("{}", batch), batch, batch);
  EXPECT_THAT(ReadLogInput(storage, site, View(1), 1, {}).beyond, ElementsAre("2", "3"));
  storage.Remove("/out/_spark_metadata/0");
  EXPECT_THAT(ReadLogInput(storage, site, View(1), 1, {}).beyond, IsEmpty());
}

TEST_F(RebuiltLogTest, ALoweredIntervalIsNoLossIfEveryBatchHasItsFile) {
  const auto fitting = [&](std::int64_t interval) {
    return ReadLogInput(storage, site, View(4, interval), 4, {}).fitting_interval;
  };
  for (BatchId batch = 0; batch <= 4; ++batch) Logged(fmt::format("{}", batch), batch, batch);
  EXPECT_EQ(fitting(3), 10);
  EXPECT_EQ(fitting(10), std::nullopt) << "it fits";
  EXPECT_EQ(ReadLogInput(storage, site, View(5, 3), 5, {}).fitting_interval, std::nullopt)
      << "5 is lost";
  for (BatchId batch = 5; batch <= 11; ++batch) Logged(fmt::format("{}", batch), batch, batch);
  EXPECT_EQ(fitting(3), 13) << "the first compaction is still to come";
  Logged("8.compact", 0, 8);
  EXPECT_EQ(fitting(3), std::nullopt) << "the compact file settles the interval";
  storage.Remove("/out/_spark_metadata/8.compact");
  storage.Write("/out/_spark_metadata/10", "");
  EXPECT_EQ(fitting(3), std::nullopt) << "10 is broken";
  storage.Remove("/out/_spark_metadata/10");
  EXPECT_EQ(fitting(3), std::nullopt) << "10 is lost";
}

}  // namespace
}  // namespace tidegauge
