// One file of a compactible log: a version line, then one JSON object a line
// (CompactibleFileStreamLog, FileStreamSinkLog, FileStreamSourceLog). No line break at the end; a
// batch without files is the version line alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

/// The only version there is, up to Spark 4.2.
inline constexpr int kLogVersion = 1;

enum class LogFileFault {
  kNone,
  kEmpty,    ///< no byte, not even the version line
  kTorn,     ///< the last line is cut short
  kForeign,  ///< not what Spark writes
  kTooNew,   ///< of a later version
};

struct LogFileCheck {
  LogFileFault fault = LogFileFault::kNone;
  std::string why;  ///< what is wrong, without the file's name

  friend bool operator==(const LogFileCheck&, const LogFileCheck&) = default;
};

/// How much of each end of a file is looked at. A file that is not longer is checked whole.
inline constexpr std::size_t kLogFileWindow = 64 << 10;

/// Whether Spark could read the log file at `path`, of `size` bytes, as far as its two ends tell. A
/// file that was cut at a line break cannot be told from a whole one. Errors: those of Storage.
Result<LogFileCheck> CheckLogFile(Storage& storage, const std::string& path, std::uint64_t size);

/// The same for the content. `head` is the beginning of the file; `tail` its end where that is not
/// in `head`.
LogFileCheck CheckLogText(std::string_view head, std::string_view tail);

}  // namespace tidegauge
