#include "core/history/rates.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

TEST(Rates, NeedTenSeconds) {
  RateSamples samples;
  EXPECT_EQ(RatePerSecond(samples, Time(100s), 5), std::nullopt);
  AddSample(samples, Time(100s), 0);
  EXPECT_EQ(RatePerSecond(samples, Time(109'999ms), 100), std::nullopt);
  EXPECT_DOUBLE_EQ(*RatePerSecond(samples, Time(110s), 100), 10);
}

TEST(Rates, ANumberThatStandsStillHasTheRateZero) {
  RateSamples samples;
  AddSample(samples, Time(0s), 42);
  EXPECT_DOUBLE_EQ(*RatePerSecond(samples, Time(60s), 42), 0);
}

TEST(Rates, AValueThatFellStartsAfresh) {
  RateSamples samples;
  AddSample(samples, Time(0s), 1000);
  AddSample(samples, Time(60s), 2000);
  AddSample(samples, Time(120s), 10);
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_DOUBLE_EQ(*RatePerSecond(samples, Time(130s), 30), 2);
}

TEST(Rates, SamplesStayFewAndSpanUpToADay) {
  RateSamples samples;
  for (int poll = 0; poll < 2 * 24 * 120; ++poll) {
    AddSample(samples, Time(30s * poll), poll * 60);
    ASSERT_LE(samples.size(), kRateSamples);
    ASSERT_LE(Time(30s * poll) - samples.front().at, 24h + 1min) << poll;
  }
  const Time now(30s * (2 * 24 * 120));
  EXPECT_NEAR(*RatePerSecond(samples, now, 2 * 24 * 120 * 60), 2, 0.001);
  EXPECT_GT(now - samples.front().at, 6h) << "of a steady number, a long stretch is remembered";
}

TEST(Rates, Lately_ANumberThatMovedAllDayAndStandsStillNow) {
  RateSamples samples;
  Time now(0s);
  for (; now < Time(20h); now += 30s) AddSample(samples, now, now.time_since_epoch() / 1s);
  const Offset stands = now.time_since_epoch() / 1s;
  EXPECT_NEAR(*RateLately(samples, now, stands), 1, 0.001);
  for (const Time until = now + 3h; now < until; now += 30s) AddSample(samples, now, stands);
  EXPECT_GT(*RatePerSecond(samples, now, stands), 0.7);
  EXPECT_LT(*RateLately(samples, now, stands), 0.5);
}

TEST(Rates, Lately_LessThanAnHourIsAllThereIs) {
  RateSamples samples;
  AddSample(samples, Time(0s), 0);
  AddSample(samples, Time(59min), 0);
  EXPECT_DOUBLE_EQ(*RateLately(samples, Time(59min + 59s), 3599), 1);
  EXPECT_DOUBLE_EQ(*RateLately(samples, Time(2h), 3660), 1) << "since the 59th minute";
}

TEST(Rates, AfterALongSilenceWhatIsOlderThanADayIsForgotten) {
  RateSamples samples;
  AddSample(samples, Time(0s), 10);
  AddSample(samples, Time(48h), 20);
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples.front().value, 20);
}

TEST(Rates, SamplesCloserThanTenSecondsAreNotTaken) {
  RateSamples samples;
  AddSample(samples, Time(0s), 10);
  AddSample(samples, Time(9'999ms), 20);
  EXPECT_EQ(samples.size(), 1u);
  AddSample(samples, Time(10s), 20);
  EXPECT_EQ(samples.size(), 2u);
}

}  // namespace
}  // namespace tidegauge
