// A moment by which a call must be over, however many questions it asks on the way.
#pragma once

#include <algorithm>
#include <chrono>

#include "core/model.h"

namespace tidegauge {

class Deadline {
 public:
  explicit Deadline(Duration timeout) : at_(std::chrono::steady_clock::now() + timeout) {}

  /// What is left; never negative.
  Duration Left() const {
    const auto left = std::chrono::floor<Duration>(at_ - std::chrono::steady_clock::now());
    return std::max(left, Duration::zero());
  }

  /// The same as librdkafka takes it, which knows no timeout above an hour.
  int LeftMs() const {
    return static_cast<int>(std::min(Left(), Duration(std::chrono::hours(1))).count());
  }

  bool Passed() const { return Left() == Duration::zero(); }

 private:
  std::chrono::steady_clock::time_point at_;
};

}  // namespace tidegauge
