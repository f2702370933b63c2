// The text that all of Spark's metadata logs share: lines, of which the first is a version
// (HDFSMetadataLog, MetadataVersionUtil).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tidegauge {

/// As scala.io.Source.getLines: a final line break ends the last line and starts no other. The
/// lines are parts of `text`.
std::vector<std::string_view> SplitLines(std::string_view text);

/// Without blanks at either end.
std::string_view Trim(std::string_view text);

/// MetadataVersionUtil.validateVersion: `v` and a positive number, nothing else. kCorrupt
/// otherwise.
Result<int> ParseVersionLine(std::string_view line);

/// The beginning of `text` for a message, printable whatever the file holds.
std::string Excerpt(std::string_view text);

}  // namespace tidegauge
