#include "config/utf8.h"

#include <string>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(FirstInvalidUtf8, accepts_all_lengths_at_their_limits) {
  for (const char* text :
       {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(FirstInvalidUtf8(text), std::nullopt) << text;
  }
}

TEST(FirstInvalidUtf8, refuses_just_beyond_the_limits) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC2", "\xE2\x82", "\xF0\x9F\x98",
        "\xC2\x41", "\xE2\x82\x41", "\xC2\xC0"}) {
    EXPECT_EQ(FirstInvalidUtf8(text), 0) << text;
  }
}

TEST(FirstInvalidUtf8, says_where) {
  EXPECT_EQ(FirstInvalidUtf8("M\xC3\xBCnchen"), std::nullopt);
  EXPECT_EQ(FirstInvalidUtf8("M\xC3\xBC M\xFCnchen"), 5);
}

}  // namespace
}  // namespace tidegauge
