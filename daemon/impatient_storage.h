// The file system, for callers that must not wait for a mount that hangs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ports.h"
#include "daemon/deadline_pool.h"
#include "daemon/storage/mount_table.h"

namespace tidegauge {

/// As LocalStorage, but for a call to a mount that could hang: that is kUnavailable after the
/// deadline, and, as long as it is not answered after all, every other call to this mount is so at
/// once. Which calls are still out is known to the pool, so that objects which follow each other
/// share one.
///
/// One thread at a time may use a pool.
class ImpatientStorage : public Storage {
 public:
  using Pool = std::shared_ptr<DeadlinePool>;

  static Pool MakePool(Duration deadline);

  /// `mounts`: of now.
  ImpatientStorage(Pool pool, MountTable mounts)
      : pool_(std::move(pool)), mounts_(std::move(mounts)) {}
  explicit ImpatientStorage(Duration deadline)
      : ImpatientStorage(MakePool(deadline), MountTable::Read()) {}

  Result<std::vector<std::string>> List(const std::string& directory) override;
  Result<std::string> Read(const std::string& path, std::size_t max_bytes) override;
  Result<std::string> ReadPart(const std::string& path, std::uint64_t offset,
                               std::size_t max_bytes) override;
  Result<FileStatus> Stat(const std::string& path) override;

 private:
  template <typename T>
  Result<T> Ask(const std::string& path, std::function<Result<T>()> ask);

  Pool pool_;
  MountTable mounts_;
};

}  // namespace tidegauge
