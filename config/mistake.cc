#include "config/mistake.h"

#include <algorithm>

#include <fmt/format.h>

namespace tidegauge {

Mistakes InOrder(Mistakes mistakes) {
  constexpr std::size_t kMost = 100;
  std::ranges::stable_sort(mistakes, {}, &Mistake::line);
  if (mistakes.size() > kMost) {
    const std::size_t more = mistakes.size() - kMost;
    mistakes.resize(kMost);
    mistakes.push_back({mistakes.back().line, 0, fmt::format("and {} more mistakes", more)});
  }
  return mistakes;
}

std::string Render(const std::string& file, Mistakes mistakes) {
  std::ranges::stable_sort(mistakes, {}, &Mistake::line);
  std::string text;
  for (const Mistake& mistake : mistakes) {
    text += mistake.line > 0 ? fmt::format("{}:{}: {}\n", file, mistake.line, mistake.message)
                             : fmt::format("{}: {}\n", file, mistake.message);
  }
  return text;
}

}  // namespace tidegauge
