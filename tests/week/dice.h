// Chance that comes out the same for the same seed, on every machine.
#pragma once

#include <cstdint>

#include "core/model.h"

namespace tidegauge::testing {

/// splitmix64
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  /// From 0 to `below` - 1.
  std::int64_t Below(std::int64_t below) {
    return static_cast<std::int64_t>(Next() % static_cast<std::uint64_t>(below));
  }
  Duration Between(Duration least, Duration most) {
    return least + Duration(Below((most - least).count() + 1));
  }
  /// From 0 to 1.
  double Share() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace tidegauge::testing
