#include "core/checkpoint/log_text.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using Lines = std::vector<std::string_view>;

TEST(LogText, LinesAreThoseOfScala) {
  EXPECT_EQ(SplitLines(""), Lines());
  EXPECT_EQ(SplitLines("a"), Lines({"a"}));
  EXPECT_EQ(SplitLines("a\n"), Lines({"a"}));
  EXPECT_EQ(SplitLines("a\n\n"), Lines({"a", ""}));
  EXPECT_EQ(SplitLines("a\r\nb\r\n"), Lines({"a", "b"}));
  EXPECT_EQ(SplitLines("\n"), Lines({""}));
}

TEST(LogText, VersionIsExact) {
  EXPECT_EQ(ParseVersionLine("v1"), 1);
  EXPECT_EQ(ParseVersionLine("v10"), 10);
  for (const std::string_view line :
       {"", "v", "v0", "v-1", "v1 ", " v1", "V1", "1", "v1x", "vv1", "v 1", "v99999999999", "{}"}) {
    const auto version = ParseVersionLine(line);
    ASSERT_FALSE(version) << line;
    EXPECT_EQ(version.error().kind, ErrorKind::kCorrupt) << line;
  }
}

TEST(LogText, ExcerptIsShortAndPrintable) {
  EXPECT_EQ(Excerpt("v1x"), "v1x");
  EXPECT_EQ(Excerpt(std::string_view("\0\n\xff", 3)), "\\x00\\x0a\\xff");
  EXPECT_EQ(Excerpt(std::string(61, 'a')), std::string(60, 'a') + "…");
}

}  // namespace
}  // namespace tidegauge
