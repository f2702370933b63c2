// Files of a recording: whole, or as much of them as `check` looks at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

/// One file as it is to be recorded. What lies between `head` and `tail` is left out.
struct RecordedFile {
  std::string name;
  FileStatus status;
  std::string head;
  std::string tail;
};

/// Of a compactible log: every name, size and time.
struct RecordedLog {
  bool exists = false;         ///< the directory is there
  bool parent_exists = false;  ///< the directory above it is there
  std::vector<RecordedFile> files;
};

/// A file of no more bytes is recorded whole.
inline constexpr std::size_t kRecordedWhole = 4 << 10;

/// Takes in the log in `directory`; `setting` as in ReadLog. Of a larger file that `check` would
/// look into, it takes the two ends (kLogFileWindow each), of any other no content: some 100 MB at
/// most, whatever the log's size. Files that vanish meanwhile are another log: it is taken in
/// again. Errors: those of Storage.
Result<RecordedLog> ReadRecordedLog(Storage& storage, const std::string& directory,
                                    std::int64_t setting, Time now);

/// Drops the files of batches after `newest`.
void CutAfter(RecordedLog& log, BatchId newest);

/// Takes in a whole file. Errors: those of Storage.Read.
Result<RecordedFile> ReadRecordedFile(Storage& storage, const std::string& directory,
                                      const std::string& name, std::size_t max_bytes);

/// Writes it into `directory`, which exists, with its size and time; what is left out becomes a
/// hole, which takes no room on most file systems. What is no regular file becomes a directory: to
/// Spark, and to `check`, the one is as wrong as the other. kUnavailable: it cannot be written.
Result<void> WriteRecordedFile(const std::filesystem::path& directory, const RecordedFile& file);

}  // namespace tidegauge
