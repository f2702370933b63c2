#include "daemon/http/gzip.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "tests/daemon/http/gunzip.h"

namespace tidegauge {
namespace {

TEST(Gzip, comes_back_as_it_was_and_is_smaller) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "lag{partition=\"" + std::to_string(i) + "\"} 5\n";
  const auto compressed = Gzip(text);
  ASSERT_TRUE(compressed);
  EXPECT_LT(compressed->size(), text.size() / 4);
  EXPECT_EQ(Gunzip(*compressed), text);
}

TEST(Gzip, comes_back_when_it_cannot_be_made_smaller) {
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 100'000; ++i) {
    state = state * 1664525U + 1013904223U;
    noise += static_cast<char>(state >> 24);
  }
  const auto compressed = Gzip(noise);
  ASSERT_TRUE(compressed);
  EXPECT_EQ(Gunzip(*compressed), noise);
}

TEST(Gzip, makes_a_member_of_nothing) {
  const auto compressed = Gzip("");
  ASSERT_TRUE(compressed);
  EXPECT_EQ(compressed->substr(0, 2), "\x1F\x8B");
}

}  // namespace
}  // namespace tidegauge
