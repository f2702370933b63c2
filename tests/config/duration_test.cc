#include "config/duration.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(ParseDuration, reads_each_unit) {
  EXPECT_EQ(ParseDuration("500ms"), Duration(500));
  EXPECT_EQ(ParseDuration("30s"), seconds(30));
  EXPECT_EQ(ParseDuration("10m"), minutes(10));
  EXPECT_EQ(ParseDuration("1h"), hours(1));
  EXPECT_EQ(ParseDuration("1d"), days(1));
  EXPECT_EQ(ParseDuration("2w"), days(14));
}

TEST(ParseDuration, adds_units_from_large_to_small) {
  EXPECT_EQ(ParseDuration("1h30m"), minutes(90));
  EXPECT_EQ(ParseDuration("1w1d1h1m1s1ms"),
            days(8) + hours(1) + minutes(1) + seconds(1) + milliseconds(1));
}

TEST(ParseDuration, reads_zero_with_and_without_a_unit) {
  EXPECT_EQ(ParseDuration("0"), Duration::zero());
  EXPECT_EQ(ParseDuration("0s"), Duration::zero());
}

TEST(ParseDuration, refuses_everything_else) {
  for (const char* text :
       {"", "30", "s", "-1s", "+1s", "1.5h", "1 h", " 1h", "1h ", "1h1h", "30m1h", "1ms1s", "1H",
        "1min", "1month", "0x1s", "1h30", "00", "1e3s"}) {
    EXPECT_FALSE(ParseDuration(text)) << text;
  }
}

TEST(ParseDuration, refuses_what_would_overflow) {
  EXPECT_EQ(ParseDuration("36500d"), kLongestDuration);
  for (const char* text : {"36501d", "36500d1ms", "9223372036854775807ms", "9223372036854775807w",
                           "99999999999999999999s"}) {
    EXPECT_FALSE(ParseDuration(text)) << text;
  }
}

TEST(FormatDuration, is_short_and_reads_back) {
  EXPECT_EQ(FormatDuration(Duration::zero()), "0s");
  EXPECT_EQ(FormatDuration(milliseconds(1)), "1ms");
  EXPECT_EQ(FormatDuration(minutes(90)), "1h30m");
  EXPECT_EQ(FormatDuration(days(14)), "14d");
  EXPECT_EQ(FormatDuration(seconds(61) + milliseconds(5)), "1m1s5ms");
  for (std::int64_t count = 1; count < kLongestDuration.count(); count = count * 7 + 3) {
    EXPECT_EQ(ParseDuration(FormatDuration(Duration(count))), Duration(count));
  }
}

}  // namespace
}  // namespace tidegauge
