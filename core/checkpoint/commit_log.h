// One file of commits/ (CommitLog v1 to v3). Its presence is what matters: the batch has ended. Its
// content is read only to know whether a restart could read it.
#pragma once

#include <string_view>

#include "core/result.h"

namespace tidegauge {

/// Stateful queries write the ids of all their state stores here.
inline constexpr std::size_t kMaxCommitFileBytes = 64 << 20;

/// Errors: kCorrupt (empty, torn, not Spark's), kUnsupported (a version after v3). The message does
/// not name the file.
Result<void> CheckCommitLogEntry(std::string_view text);

}  // namespace tidegauge
