#include "core/recovery/corrected_offsets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(CorrectOffsets, ChangesTheNumbersOfOneTopicAndNothingElse) {
  const std::string text =
      "v1\n{\"batchWatermarkMs\":0, "
      "\"conf\":{}}\n-\n{\"t\":{\"1\":480,\"0\":500},\"u\":{\"0\":7}}\n"
      "{\"logOffset\":3}\n{ \"u\" : {\"0\": 7} }";
  const auto corrected = CorrectOffsets(text, {{"t", {{0, 0}, {1, std::nullopt}, {2, 5}}}});
  EXPECT_EQ(
      corrected,
      "v1\n{\"batchWatermarkMs\":0, \"conf\":{}}\n-\n{\"t\":{\"0\":0,\"2\":5},\"u\":{\"0\":7}}\n"
      "{\"logOffset\":3}\n{ \"u\" : {\"0\": 7} }");
}

TEST(CorrectOffsets, ChangesEverySourceThatReadsTheTopic) {
  EXPECT_EQ(CorrectOffsets("v1\n{}\n{\"t\":{\"0\":5}}\n{\"t\":{\"0\":5}}", {{"t", {{0, 1}}}}),
            "v1\n{}\n{\"t\":{\"0\":1}}\n{\"t\":{\"0\":1}}");
}

TEST(CorrectOffsets, KeepsTheIdsOfVersion2) {
  EXPECT_EQ(CorrectOffsets("v2\n{\"batchWatermarkMs\":0}\nb:{\"u\":{\"0\":6}}\na:{\"t\":{\"0\":5}}",
                           {{"t", {{0, 1}}}}),
            "v2\n{\"batchWatermarkMs\":0}\nb:{\"u\":{\"0\":6}}\na:{\"t\":{\"0\":1}}");
}

TEST(CorrectOffsets, ALineBreakAtTheEndWouldBeOneMoreSource) {
  EXPECT_EQ(CorrectOffsets("v1\n{}\n{\"t\":{\"0\":5}}\n", {{"t", {{0, 1}}}}),
            "v1\n{}\n{\"t\":{\"0\":1}}");
}

TEST(CorrectOffsets, ATopicThatIsNotThereIsRefused) {
  const auto corrected = CorrectOffsets("v1\n{}\n{\"t\":{\"0\":5}}", {{"u", {{0, 1}}}});
  ASSERT_FALSE(corrected);
  EXPECT_EQ(corrected.error().kind, ErrorKind::kInvalid);
}

TEST(CorrectOffsets, ATornFileIsRefused) {
  EXPECT_FALSE(CorrectOffsets("v1\n{}\n{\"t\":{\"0\":", {{"t", {{0, 1}}}}));
  EXPECT_FALSE(CorrectOffsets("", {{"t", {{0, 1}}}}));
}

}  // namespace
}  // namespace tidegauge
