#include "daemon/http/rate_limiter.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

TEST(RateLimiter, takes_a_burst_and_then_one_an_interval) {
  RateLimiter limiter({.interval = 100ms, .burst = 3});
  const RateLimiter::Time start{24h};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.Take(start));
  EXPECT_FALSE(limiter.Take(start));
  EXPECT_FALSE(limiter.Take(start + 99ms));
  EXPECT_TRUE(limiter.Take(start + 100ms));
  EXPECT_FALSE(limiter.Take(start + 150ms));
  EXPECT_TRUE(limiter.Take(start + 200ms));
}

TEST(RateLimiter, is_full_again_after_a_rest_and_never_fuller) {
  RateLimiter limiter({.interval = 100ms, .burst = 2});
  const RateLimiter::Time start{24h};
  EXPECT_TRUE(limiter.Take(start));
  EXPECT_TRUE(limiter.Take(start + 1h));
  EXPECT_TRUE(limiter.Take(start + 1h));
  EXPECT_FALSE(limiter.Take(start + 1h));
}

}  // namespace
}  // namespace tidegauge
