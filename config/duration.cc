#include "config/duration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tidegauge {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t milliseconds;
};

constexpr std::array<Unit, 6> kUnits{{{"w", 7 * 86'400'000LL},
                                      {"d", 86'400'000},
                                      {"h", 3'600'000},
                                      {"m", 60'000},
                                      {"s", 1'000},
                                      {"ms", 1}}};

std::size_t LengthWhile(std::string_view text, bool (*matches)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, matches) - text.begin());
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }

// Takes one number with its unit off `text`; `unit` is where the next smaller unit is looked for.
std::optional<std::int64_t> TakePart(std::string_view& text, const Unit*& unit) {
  std::int64_t number = 0;
  const std::size_t digits = LengthWhile(text, IsDigit);
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
  if (digits == 0 || error != std::errc()) return std::nullopt;
  text.remove_prefix(digits);
  const std::string_view name = text.substr(0, LengthWhile(text, IsLetter));
  text.remove_prefix(name.size());
  unit = std::find_if(unit, kUnits.end(), [&](const Unit& u) { return u.name == name; });
  if (unit == kUnits.end()) return std::nullopt;
  const std::int64_t size = (unit++)->milliseconds;
  if (number > kLongestDuration.count() / size) return std::nullopt;
  return number * size;
}

}  // namespace

Result<Duration> ParseDuration(std::string_view text) {
  const auto fail = [text] {
    return Fail(
        ErrorKind::kInvalid,
        fmt::format("bad duration '{}': write whole numbers with units, such as 500ms, 30s, "
                    "10m, 1h30m or 1d",
                    text));
  };
  if (text == "0") return Duration::zero();
  if (text.empty()) return fail();
  Duration sum{};
  const Unit* unit = kUnits.begin();
  for (std::string_view rest = text; !rest.empty();) {
    const auto part = TakePart(rest, unit);
    if (!part) return fail();
    sum += Duration(*part);
  }
  if (sum > kLongestDuration) return fail();
  return sum;
}

std::string FormatDuration(Duration duration) {
  if (duration == Duration::zero()) return "0s";
  std::string text;
  std::int64_t rest = duration.count();
  for (const Unit& unit : kUnits) {
    // Weeks are read, but 14d says more than 2w to most people.
    if (unit.name == "w" || rest < unit.milliseconds) continue;
    text += fmt::format("{}{}", rest / unit.milliseconds, unit.name);
    rest %= unit.milliseconds;
  }
  return text;
}

}  // namespace tidegauge
