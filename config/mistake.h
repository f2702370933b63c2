// A mistake in a file that a person wrote: where it is, and what to do about it.
#pragma once

#include <string>
#include <vector>

namespace tidegauge {

struct Mistake {
  int line = 0;    ///< from 1; 0: the file as a whole
  int column = 0;  ///< from 1; 0: unknown
  std::string message;

  friend bool operator==(const Mistake&, const Mistake&) = default;
};

using Mistakes = std::vector<Mistake>;

/// Sorted by place. Beyond the first hundred one mistake says how many there are.
Mistakes InOrder(Mistakes mistakes);

/// One `file:line: message` a mistake, each ended by a newline, sorted by place.
std::string Render(const std::string& file, Mistakes mistakes);

}  // namespace tidegauge
