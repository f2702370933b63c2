// One compactible log at one moment: `_spark_metadata` of a file sink, or sources/K of a file
// source.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"
#include "core/sinklog/log_file.h"
#include "core/sinklog/log_listing.h"

namespace tidegauge {

inline constexpr std::string_view kSinkLogDirectory = "_spark_metadata";

/// A file that was looked into.
struct CheckedLogFile {
  std::string name;
  FileStatus status;  ///< before it was read
  LogFileCheck check;
  Time checked_at;

  friend bool operator==(const CheckedLogFile&, const CheckedLogFile&) = default;
};

/// A compact file, its size, and when it was written.
struct CompactFile {
  BatchId batch = 0;
  std::uint64_t bytes = 0;
  Time written_at;

  friend bool operator==(const CompactFile&, const CompactFile&) = default;
};

/// Immutable after ReadLog; shared between threads by pointer.
struct CompactibleLog {
  std::string path;           ///< the directory
  bool exists = false;        ///< the directory is there
  bool parent_exists = true;  ///< the directory above it is there
  LogListing files;
  std::int64_t setting = 0;     ///< the interval that Spark's configuration sets; 0: it sets none
  std::int64_t configured = 0;  ///< that, or Spark's default
  /// What a driver or a reader that starts now settles on.
  std::int64_t interval = 0;
  /// The files from the oldest one on that a reader or the next compaction would read, by id; of
  /// more than kMaxCheckedFiles, the newest.
  std::vector<CheckedLogFile> checked;
  std::vector<CompactFile> compacts;  ///< the newest two at most, newest first

  /// What the next poll needs, to read only what changed. Opaque to everybody else.
  struct Fingerprint {
    std::optional<FileStatus> directory;
    Time taken_at;
    bool complete = false;  ///< it may be relied on
  } fingerprint;
};

using LogPtr = std::shared_ptr<const CompactibleLog>;

inline constexpr std::size_t kMaxCheckedFiles = 1000;

/// Reads the log in `directory`. `setting` is the interval that Spark's configuration sets; 0:
/// none. `previous` is what the last poll read there (or null): when the directory has not changed
/// since, it costs a stat of it and of each checked file, and it is returned as it is; else files
/// that have not changed are not read again. Of a large file only the two ends are read. `now` is
/// the moment of the call.
///
/// A directory that is not there is a log without files. A listing in which a needed file is
/// missing is confirmed by a second one: Spark may be compacting and cleaning up meanwhile.
/// Errors: those of Storage.
Result<LogPtr> ReadLog(Storage& storage, const std::string& directory, std::int64_t setting,
                       const LogPtr& previous, Time now);

}  // namespace tidegauge
