// What a fuzz target claims of every input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace tidegauge::fuzz {

/// Ends the process, which is what a fuzzer takes for a finding.
inline void Check(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", claim);
  std::abort();
}

}  // namespace tidegauge::fuzz
