// How often the server answers at all.
#pragma once

#include <chrono>

#include "config/web_file.h"

namespace tidegauge {

/// A bucket that holds `burst` requests and gets one more each `interval`. One thread.
class RateLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `limit.interval` is not zero.
  explicit RateLimiter(RateLimit limit) : limit_(limit), full_at_(Time::min()) {}

  /// Whether one more request is taken at `now`, which never goes back.
  bool Take(Time now) {
    const auto begins = full_at_ < now ? now : full_at_;
    if (begins + limit_.interval > now + limit_.burst * limit_.interval) return false;
    full_at_ = begins + limit_.interval;
    return true;
  }

 private:
  const RateLimit limit_;
  Time full_at_;  ///< when the bucket is full again
};

}  // namespace tidegauge
