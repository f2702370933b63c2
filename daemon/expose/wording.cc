#include "daemon/expose/wording.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace tidegauge {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;

struct Civil {
  std::string date;
  std::string clock;
  std::int64_t ms;
};

Civil CivilOf(Time time) {
  using std::chrono::year;
  constexpr Time kFirst = sys_days(year(0) / 1 / 1);
  constexpr Time kLast = sys_days(year(10000) / 1 / 1) - milliseconds(1);
  time = std::clamp(time, kFirst, kLast);
  const sys_days day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return {
      .date = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                          static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())),
      .clock = fmt::format("{:02}:{:02}:{:02}", clock.hours().count(), clock.minutes().count(),
                           clock.seconds().count()),
      .ms = clock.subseconds().count()};
}

}  // namespace

std::string Rfc3339(Time time) {
  const Civil civil = CivilOf(time);
  const std::string fraction = civil.ms == 0 ? "" : fmt::format(".{:03}", civil.ms);
  return fmt::format("{}T{}{}Z", civil.date, civil.clock, fraction);
}

std::string UtcText(Time time) {
  const Civil civil = CivilOf(time);
  return fmt::format("{} {} UTC", civil.date, civil.clock);
}

std::string DurationText(Duration duration) {
  constexpr std::array<std::pair<seconds, std::string_view>, 4> kUnits{
      {{days(1), "d"}, {hours(1), "h"}, {minutes(1), "min"}, {seconds(1), "s"}}};
  auto rest = std::chrono::floor<seconds>(std::max(duration, Duration(0)));
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    if (rest < kUnits[i].first) continue;
    const auto [unit, name] = kUnits[i];
    const auto [next_unit, next_name] = kUnits[i + 1];
    const auto next = rest % unit / next_unit;
    if (next == 0) return fmt::format("{} {}", rest / unit, name);
    return fmt::format("{} {} {} {}", rest / unit, name, next, next_name);
  }
  return fmt::format("{} s", rest.count());
}

std::string NumberText(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::ptrdiff_t first = number < 0 ? 2 : 1;
  for (auto at = std::ssize(digits) - 3; at >= first; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string CountText(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", NumberText(number), noun, number == 1 ? "" : "s");
}

}  // namespace tidegauge
