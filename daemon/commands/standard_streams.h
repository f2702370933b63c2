// Standard input, output and error, whatever the caller has made of them.
#pragma once

#include <string_view>

namespace tidegauge {

/// Opens /dev/null in place of each that is closed: else the next file or socket would get its
/// number, and what is printed or logged would be written into that. Call it first of all.
void OpenStandardStreams();

/// Prints results to standard output. False: they did not get there, as standard error now says.
[[nodiscard]] bool PrintResult(std::string_view text);

}  // namespace tidegauge
