// Names of directories, topics and servers are other people's bytes.
#pragma once

#include <string>
#include <string_view>

namespace tidegauge {

/// `text` with every byte that is no part of well-formed UTF-8 as `\xNN`: a scrape with one
/// ill-formed label is refused whole.
std::string WellFormed(std::string_view text);

/// Also without control characters, which become `\xNN`: they would speak to the reader's terminal.
std::string Printable(std::string_view text);

}  // namespace tidegauge
