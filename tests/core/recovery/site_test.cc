#include "core/recovery/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Site kLocal("/data/q", "/data/out", "");
const Site kHdfs("/mnt/hdfs/q", "/mnt/hdfs/out", "/mnt/hdfs/");

TEST(Site, OneOfTheTwoDirectoriesIsEnoughForHdfs) {
  EXPECT_TRUE(Site("/data/q", "/mnt/hdfs/out", "/mnt/hdfs").is_on_hdfs());
  EXPECT_FALSE(Site("/mnt/hdfs2/q", "", "/mnt/hdfs").is_on_hdfs());
}

TEST(Site, CommandsStopWhereAFileMustNotBe) {
  EXPECT_THAT(kLocal.MustNotExist("/data/q/offsets/6"), ElementsAre("test ! -e /data/q/offsets/6"));
  EXPECT_THAT(kHdfs.MustNotExist("/mnt/hdfs/q/offsets/6"),
              ElementsAre("(! hdfs dfs -test -e /q/offsets/6)"));
}

TEST(Site, WhatHdfsDfsTakesForAPatternIsEscapedThereAlone) {
  EXPECT_EQ(kHdfs.List({R"(/mnt/hdfs/a*[b]?{c}\d)"}), R"(hdfs dfs -ls '/a\*\[b\]\?\{c\}\\d')");
  EXPECT_EQ(kLocal.List({"/data/[b]"}), "ls '/data/[b]'");
}

TEST(Site, LocalPathsNeverReachHdfsDfsWhichTakesThemForUris) {
  EXPECT_THAT(kHdfs.BackUp({"/mnt/hdfs/q/offsets", "/mnt/hdfs/q/commits"}),
              ElementsAre("mkdir -p \"${PLAN:?}/backup\"",
                          "(cd \"${PLAN:?}/backup\" && hdfs dfs -get -f /q/offsets /q/commits .)"));
  EXPECT_THAT(kHdfs.Put("offsets/5", "/mnt/hdfs/q/offsets/5"),
              ElementsAre("hdfs dfs -put -f - /q/offsets/5 < \"${PLAN:?}\"/offsets/5"));
}

TEST(Site, ANewFileOnHdfsIsGivenToWhoOwnsItsDirectory) {
  EXPECT_THAT(kHdfs.KeepOwner("/mnt/hdfs/q/metadata"),
              ElementsAre("hdfs dfs -chown -R \"$(hdfs dfs -stat %u /q)\" /q/metadata"));
  EXPECT_THAT(kLocal.KeepOwner("/data/q/metadata"), IsEmpty());
  EXPECT_THAT(kHdfs.Copy("/mnt/hdfs/q/offsets/5", "/mnt/hdfs/q/offsets/4"),
              ElementsAre("hdfs dfs -cp /q/offsets/5 /q/offsets/4"));
}

TEST(Site, WhatIsTakenOutMayBeOutAlready) {
  EXPECT_THAT(kHdfs.Remove({"/mnt/hdfs/q/commits/5"}), ElementsAre("hdfs dfs -rm -f /q/commits/5"));
  EXPECT_THAT(kLocal.Remove({"/data/q/commits/5"}),
              ElementsAre("rm -f /data/q/commits/5", "rm -f /data/q/commits/.5.crc"));
}

TEST(Site, ManyFilesAreTakenOutByOneCommand) {
  EXPECT_THAT(kHdfs.Remove({"/mnt/hdfs/out/part-0", "/mnt/hdfs/out/part [1]"}),
              ElementsAre(R"(hdfs dfs -rm -f /out/part-0 '/out/part \[1\]')"));
  EXPECT_THAT(
      kLocal.Remove({"/out/part-0", "/out/part 1"}),
      ElementsAre("rm -f /out/part-0 '/out/part 1'", "rm -f /out/.part-0.crc '/out/.part 1.crc'"));
}

TEST(Site, TheAuthorityIsFilledInOnce) {
  EXPECT_THAT(Site::NameHdfs({"_spark_metadata/0", "_spark_metadata/1"}),
              ElementsAre(HasSubstr("hdfs getconf -confKey fs.defaultFS"),
                          "sed -i \"s|hdfs:///|${HDFS:?}/|\" "
                          "\"${PLAN:?}\"/_spark_metadata/0 \"${PLAN:?}\"/_spark_metadata/1"));
}

}  // namespace
}  // namespace tidegauge
