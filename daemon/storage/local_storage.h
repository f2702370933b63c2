// Checkpoints in local and mounted directories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ports.h"
#include "core/result.h"

namespace tidegauge {

/// The Storage port over the file system. Paths are plain, or written as Hadoop does for this file
/// system, `file:/…` or `file:///…` (Hadoop does not percent-encode them, so nothing is decoded).
///
/// Symbolic links are followed. Nothing is created, written or locked. A call can block for as long
/// as a mount hangs, so it belongs on a thread that may be given up (daemon/deadline_pool.h).
/// Stateless, safe for concurrent use.
///
/// Errors: kNotFound (also: a component is no directory), kDenied with what to grant, kUnavailable
/// for every other failure of the system. Read and ReadPart: kCorrupt also for what is no regular
/// file, which is never waited for: a FIFO named like a batch costs nothing.
class LocalStorage : public Storage {
 public:
  explicit LocalStorage(std::size_t max_entries = kMaxEntries) : max_entries_(max_entries) {}

  Result<std::vector<std::string>> List(const std::string& directory) override;
  Result<std::string> Read(const std::string& path, std::size_t max_bytes) override;
  Result<std::string> ReadPart(const std::string& path, std::uint64_t offset,
                               std::size_t max_bytes) override;
  Result<FileStatus> Stat(const std::string& path) override;

 private:
  std::size_t max_entries_;
};

/// `path` without Hadoop's `file:` scheme.
std::string LocalPath(const std::string& path);

}  // namespace tidegauge
