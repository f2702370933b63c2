#include "core/history/rates.h"

#include <algorithm>

namespace tidegauge {
namespace {

constexpr Duration kSpan = std::chrono::hours(24);
constexpr Duration kLeastSpacing = std::chrono::seconds(10);
constexpr Duration kLately = std::chrono::hours(1);

std::optional<double> RateSince(const RateSample& sample, Time at, Offset value) {
  if (at - sample.at < kLeastSpacing) return std::nullopt;
  const std::chrono::duration<double> elapsed = at - sample.at;
  return static_cast<double>(value - sample.value) / elapsed.count();
}

void Thin(RateSamples& samples) {
  RateSamples kept;
  for (std::size_t i = 0; i < samples.size(); i += 2) kept.push_back(samples[i]);
  samples = std::move(kept);
}

}  // namespace

void AddSample(RateSamples& samples, Time at, Offset value) {
  if (!samples.empty() && value < samples.back().value) samples.clear();
  std::erase_if(samples, [&](const RateSample& sample) { return at - sample.at > kSpan; });
  if (!samples.empty()) {
    const Duration covered = samples.back().at - samples.front().at;
    const Duration spacing = std::max<Duration>(kLeastSpacing, covered / kRateSamples);
    if (at - samples.back().at < spacing) return;
  }
  if (samples.size() == kRateSamples) Thin(samples);
  samples.push_back({at, value});
}

std::optional<double> RatePerSecond(const RateSamples& samples, Time at, Offset value) {
  if (samples.empty()) return std::nullopt;
  return RateSince(samples.front(), at, value);
}

std::optional<double> RateLately(const RateSamples& samples, Time at, Offset value) {
  const auto recent = std::ranges::find_if(samples.rbegin(), samples.rend(),
                                           [&](const auto& one) { return at - one.at >= kLately; });
  if (recent == samples.rend()) return RatePerSecond(samples, at, value);
  return RateSince(*recent, at, value);
}

}  // namespace tidegauge
