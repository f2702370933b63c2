#include "daemon/expose/wording.h"

#include <limits>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

constexpr Time kFour =
    std::chrono::sys_days(std::chrono::year(2026) / 11 / 30) + std::chrono::hours(4);

TEST(Rfc3339, shows_milliseconds_where_there_are_any) {
  EXPECT_EQ(Rfc3339(kFour), "2026-11-30T04:00:00Z");
  EXPECT_EQ(Rfc3339(kFour + 7ms), "2026-11-30T04:00:00.007Z");
  EXPECT_EQ(Rfc3339(Time(-1ms)), "1969-12-31T23:59:59.999Z");
}

TEST(Rfc3339, stays_a_date_for_any_number) {
  EXPECT_EQ(Rfc3339(Time::max()), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(Rfc3339(Time::min()), "0000-01-01T00:00:00Z");
}

TEST(UtcText, names_the_zone) { EXPECT_EQ(UtcText(kFour), "2026-11-30 04:00:00 UTC"); }

TEST(DurationText, shows_the_two_largest_units) {
  EXPECT_EQ(DurationText(0ms), "0 s");
  EXPECT_EQ(DurationText(999ms), "0 s");
  EXPECT_EQ(DurationText(59s), "59 s");
  EXPECT_EQ(DurationText(60s), "1 min");
  EXPECT_EQ(DurationText(125s), "2 min 5 s");
  EXPECT_EQ(DurationText(1h + 59s), "1 h");
  EXPECT_EQ(DurationText(27h), "1 d 3 h");
  EXPECT_EQ(DurationText(-5s), "0 s");
}

TEST(NumberText, groups_thousands) {
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(999), "999");
  EXPECT_EQ(NumberText(1000), "1,000");
  EXPECT_EQ(NumberText(-1234567), "-1,234,567");
  EXPECT_EQ(NumberText(-123), "-123");
  EXPECT_EQ(NumberText(std::numeric_limits<std::int64_t>::max()), "9,223,372,036,854,775,807");
}

TEST(CountText, knows_one_from_many) {
  EXPECT_EQ(CountText(1, "record"), "1 record");
  EXPECT_EQ(CountText(0, "record"), "0 records");
  EXPECT_EQ(CountText(2000, "record"), "2,000 records");
}

}  // namespace
}  // namespace tidegauge
