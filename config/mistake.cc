#include "config/mistake.h"

#include <algorithm>

#include <fmt/format.h>

namespace tidegauge {

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
