#include "core/output/data_file_names.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(DataFileNames, HiddenAsForSparksReaders) {
  EXPECT_TRUE(IsHidden("_SUCCESS"));
  EXPECT_TRUE(IsHidden("_spark_metadata"));
  EXPECT_TRUE(IsHidden(".part-0.crc"));
  EXPECT_FALSE(IsHidden("part-0"));
  EXPECT_FALSE(IsHidden("_day=1")) << "a partition column may begin with an underscore";
}

TEST(DataFileNames, TheOutputRootIsAboveThePartitions) {
  EXPECT_EQ(OutputRootOf("/out/part-0", "/out"), "/out");
  EXPECT_EQ(OutputRootOf("/out/day=1/hour=2/part-0", "/out"), "/out");
  EXPECT_EQ(OutputRootOf("/warehouse/out/day=1/part-0", "/mnt/hdfs/warehouse/out"),
            "/warehouse/out");
  EXPECT_EQ(OutputRootOf("/data/out/part-0", "/srv/elsewhere"), "/data/out");
}

TEST(DataFileNames, TheOutputRootMayLookLikeAPartition) {
  EXPECT_EQ(OutputRootOf("/out/env=prod/part-0", "/out/env=prod"), "/out/env=prod");
  EXPECT_EQ(OutputRootOf("/out/env=prod/day=1/part-0", "/mnt/out/env=prod"), "/out/env=prod");
}

TEST(DataFileNames, BelowIsByWholeComponents) {
  EXPECT_EQ(Below("/out", "/out/day=1/part-0"), "day=1/part-0");
  EXPECT_EQ(Below("/out", "/out2/part-0"), std::nullopt);
  EXPECT_EQ(Below("/out", "/out"), std::nullopt);
  EXPECT_EQ(Below("/out", "/out/"), std::nullopt);
}

}  // namespace
}  // namespace tidegauge
