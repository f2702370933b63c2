// The entries of one file of a compactible log, streamed: for logs of any size, in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

/// One file that a log lists. Views are good until the visitor returns.
struct LogEntry {
  std::string_view path;    ///< as written: a URI, percent-encoded
  std::string_view action;  ///< sink: "add"; up to Spark 3.0 "delete" takes the path out again
  std::int64_t size = 0;    ///< sink: bytes
  Time modified;            ///< sink: modificationTime; source: timestamp
  bool is_directory = false;
  BatchId batch = -1;  ///< source: the id of the log file it came with; sink: -1
};

/// What is read at a time, and the longest line that is taken in.
inline constexpr std::size_t kEntryBlock = 1 << 20;

/// Sees an entry; false: no more, and this one counts as not taken.
using EntryVisitor = std::function<bool(const LogEntry&)>;

/// Shows the entries of the file at `path` to `visit`, in order, from byte `offset` on: 0, or what
/// an earlier call gave back. Gives back where to go on: at the entry that was not taken, or at the
/// end. Errors: those of Storage; kCorrupt (empty, torn, foreign; the message names the file and
/// says after how many entries), kUnsupported (a later version). What was shown before an error
/// stands.
Result<std::uint64_t> ReadLogEntries(Storage& storage, const std::string& path,
                                     std::uint64_t offset, const EntryVisitor& visit);

/// The path of the last entry of a file of `size` bytes, as written; absent when it has none, or
/// when what ends the file is no entry. Errors: those of Storage.
Result<std::optional<std::string>> LastEntryPath(Storage& storage, const std::string& path,
                                                 std::uint64_t size);

}  // namespace tidegauge
