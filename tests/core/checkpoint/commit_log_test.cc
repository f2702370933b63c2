#include "core/checkpoint/commit_log.h"

#include <string_view>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(CommitLog, WhatSparkWrites) {
  for (const std::string_view text : {
           "v1\n{\"nextBatchWatermarkMs\":0}",
           "v1",
           "v1\n",
           "v1\n{}",
           " v1 \n{}",
           "v1\r\n{}\r\n",
           R"(v2
{"nextBatchWatermarkMs":0,"stateUniqueIds":{"0":[["6c1875b2-9fb0-4571-bab5-3dcd11a7a208"]]}})",
           R"(v3
{"nextBatchWatermarkMs":0,"sinkMetadataMap":{"s":{"sinkName":"s","commitOffset":"-"}}})",
       }) {
    EXPECT_TRUE(CheckCommitLogEntry(text)) << text;
  }
}

TEST(CommitLog, WhatCannotBeRead) {
  for (const std::string_view text :
       {"", "\n", "v", "v0", "{}", "v1\n{\"nextBatchWatermarkMs\":0", "v1\n[]", "v1\n\n{}",
        "v2\n{\"nextBatchWatermarkMs\":0,\"stateUniqueIds\":{"}) {
    const auto checked = CheckCommitLogEntry(text);
    ASSERT_FALSE(checked) << text;
    EXPECT_EQ(checked.error().kind, ErrorKind::kCorrupt) << text;
  }
}

TEST(CommitLog, NewerVersionIsUnsupported) {
  const auto checked = CheckCommitLogEntry("v4\n{}");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace tidegauge
