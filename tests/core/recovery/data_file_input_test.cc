#include "core/recovery/data_file_input.h"

#include <gmock/gmock.h>

#include "core/sinklog/query_logs.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DataFileInputTest : public ::testing::Test {
 protected:
  DataFileInputTest() {
    files_.root = "/out";
    files_.missing = {.names = {"day=1/part b"}, .count = 1};
    files_.truncated = {.names = {"part-2"}, .count = 1};
    Log("0", "v1\n" + Entry("part-0"));
    Log("1", "v1\n" + Entry("part-1") + "\n" + Entry("day=1/part%20b"));
    Log("2", "v1\n" + Entry("part-2"));
  }
  void Log(const std::string& name, const std::string& text) {
    storage_.Write("/out/_spark_metadata/" + name, text);
  }
  static std::string Entry(const std::string& name) {
    return "{\"path\":\"hdfs://nn:8020/out/" + name + "\",\"size\":1,\"action\":\"add\"}";
  }
  DataFileInput Read() {
    Checkpoint checkpoint;
    checkpoint.newest_batch = checkpoint.committed_batch = 2;
    const QueryLogs logs = ReadLogs(storage_, checkpoint, "/out", {.sink = 10}, {}, Time());
    return ReadDataFileInput(storage_, ViewLogs(logs, checkpoint, Time()).at(0), files_);
  }

  MemoryStorage storage_;
  DataFiles files_;
};

TEST_F(DataFileInputTest, NamesTheLogFilesAndWhatTheirEntriesContain) {
  const DataFileInput input = Read();
  EXPECT_THAT(input.wrong, ElementsAre("1", "2"));
  EXPECT_EQ(input.directory, "/out/_spark_metadata");
  EXPECT_EQ(input.entries, "/out/day=1/part%20b\"\n/out/part-2\"\n");
  EXPECT_EQ(input.problem, "");
}

TEST_F(DataFileInputTest, NothingIsWrong) {
  files_ = {};
  EXPECT_THAT(Read().wrong, IsEmpty());
}

TEST_F(DataFileInputTest, ALogFileThatCannotBeReadIsTold) {
  Log("1", "v1\nwhat");
  const DataFileInput input = Read();
  EXPECT_THAT(input.wrong, IsEmpty());
  EXPECT_THAT(input.problem, HasSubstr("/out/_spark_metadata/1"));
}

TEST_F(DataFileInputTest, AScriptMakesOldPathsNewOnes) {
  files_ = {};
  files_.root = "/out";
  files_.outside = {.names = {"/old.d/out/day=1/part-0", "/old.d/out/part-1"}, .count = 2};
  Log("1", R"(v1
{"path":"file:/old.d/out/day=1/part-0","size":1,"action":"add"}
{"path":"file:/old.d/out/part-1","size":1,"action":"add"})");
  const DataFileInput input = Read();
  EXPECT_THAT(input.outside, ElementsAre("1"));
  EXPECT_THAT(input.wrong, IsEmpty());
  EXPECT_EQ(input.new_paths, "s#\"path\":\"file:/old\\.d/out/#\"path\":\"hdfs://nn:8020/out/#\n");
}

}  // namespace
}  // namespace tidegauge::testing
