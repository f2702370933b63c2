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
