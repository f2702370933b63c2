#include "core/checkpoint/layout.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(Layout, NamesThatSparkTakesForBatches) {
  EXPECT_EQ(ParseBatchFileName("0"), 0);
  EXPECT_EQ(ParseBatchFileName("42"), 42);
  EXPECT_EQ(ParseBatchFileName("+7"), 7);
  EXPECT_EQ(ParseBatchFileName("007"), 7);
  EXPECT_EQ(ParseBatchFileName("9223372036854775807"), std::numeric_limits<BatchId>::max());
}

TEST(Layout, NamesThatAreNoBatches) {
  for (const std::string_view name :
       {"", "+", "-", "-7", "+-7", "++7", "7 ", " 7", "7a", "0x7", "7.0", "7.tmp", "7.compact",
        ".7.crc", ".7.8d0f125a.tmp", "..7.8d0f125a.tmp.crc", "metadata", "9223372036854775808"}) {
    EXPECT_EQ(ParseBatchFileName(name), std::nullopt) << name;
  }
}

TEST(Layout, TemporaryFilesOfBatches) {
  EXPECT_EQ(ParseTemporaryFileName(".7.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp"), 7);
  for (const std::string_view name : {"", ".tmp", "7", "7.tmp", ".7.tmp", ".7.b3aac40c.tmp",
                                      ".7.crc", "..7.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp.crc",
                                      ".b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp",
                                      ".metadata.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp",
                                      "7.b3aac40c-4f9f-49c0-884c-2814f32c229c.tmp"}) {
    EXPECT_EQ(ParseTemporaryFileName(name), std::nullopt) << name;
  }
}

TEST(Layout, TopicNamesByKafkasRule) {
  for (const std::string_view name : {"t", "metadata", "0", "a.b-c_D9", "...", "logOffset"}) {
    EXPECT_TRUE(IsLegalTopicName(name)) << name;
  }
  EXPECT_TRUE(IsLegalTopicName(std::string(249, 'x')));
  for (const std::string_view name : {"", ".", "..", "a b", "a/b", "a:b", "täglich", "a\n"}) {
    EXPECT_FALSE(IsLegalTopicName(name)) << name;
  }
  EXPECT_FALSE(IsLegalTopicName(std::string(250, 'x')));
  EXPECT_FALSE(IsLegalTopicName(std::string("a\0b", 3)));
}

}  // namespace
}  // namespace tidegauge
