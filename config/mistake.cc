#include "config/mistake.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace tidegauge {

namespace {

void Sort(Mistakes& mistakes) {
  std::ranges::sort(mistakes, {}, [](const Mistake& mistake) {
    return std::tie(mistake.line, mistake.column, mistake.message);
  });
}

}  // namespace

Mistakes InOrder(Mistakes mistakes) {
  constexpr std::size_t kMost = 100;
  Sort(mistakes);
  if (mistakes.size() > kMost) {
    const std::size_t more = mistakes.size() - kMost;
    mistakes.resize(kMost);
    mistakes.push_back({mistakes.back().line, 0, fmt::format("and {} more mistakes", more)});
  }
  return mistakes;
}

std::string Render(const std::string& file, Mistakes mistakes) {
  Sort(mistakes);
  std::string text;
  for (const Mistake& mistake : mistakes) {
    text += mistake.line > 0 ? fmt::format("{}:{}: {}\n", file, mistake.line, mistake.message)
                             : fmt::format("{}: {}\n", file, mistake.message);
  }
  return text;
}

}  // namespace tidegauge
