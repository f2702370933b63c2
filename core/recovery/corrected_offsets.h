// A batch file of offsets/ with other numbers in it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/model.h"
#include "core/result.h"

namespace tidegauge {

/// Per topic and partition the offset to be read next; none: the partition is taken out. Partitions
/// that are not here stay as they are.
using Corrections = std::map<std::string, std::map<Partition, std::optional<Offset>>, std::less<>>;

/// `text` of an offset log v1 or v2 with `corrections` made in every source line that has the topic
/// (a query that reads a topic twice has two). All else stays, byte for byte: the first two lines,
/// other sources, `-` and `{}`, the order of lines, no line break at the end. OffsetSeqLog takes
/// the lines by their number.
///
/// Errors: those of ParseOffsetLogEntry; kInvalid when no line has one of the topics.
Result<std::string> CorrectOffsets(std::string_view text, const Corrections& corrections);

}  // namespace tidegauge
