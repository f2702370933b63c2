#include "daemon/impatient_storage.h"

#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "daemon/storage/local_storage.h"

namespace tidegauge {

ImpatientStorage::Pool ImpatientStorage::MakePool(Duration deadline) {
  return std::make_shared<DeadlinePool>(
      DeadlinePool::Options{.threads = 1, .group_limit = 1, .deadline = deadline});
}

template <typename T>
Result<T> ImpatientStorage::Ask(const std::string& path, std::function<Result<T>()> ask) {
  const std::string local = LocalPath(path);
  if (mounts_.IsLocal(local)) return ask();
  auto answer = std::make_shared<Result<T>>();
  std::vector<DeadlinePool::Job> jobs;
  jobs.push_back({.key = local,
                  .group = mounts_.MountOf(local),
                  .run = [answer, ask = std::move(ask)] { *answer = ask(); }});
  const Time now = std::chrono::floor<Duration>(std::chrono::system_clock::now());
  const auto outcome = pool_->Run(std::move(jobs), now).front().outcome;
  if (outcome == DeadlinePool::Outcome::kDone) return std::move(*answer);
  return Fail(ErrorKind::kUnavailable,
              fmt::format("no answer from {} (is the mount hung?)", local));
}

Result<std::vector<std::string>> ImpatientStorage::List(const std::string& directory) {
  return Ask<std::vector<std::string>>(directory,
                                       [directory] { return LocalStorage().List(directory); });
}

Result<std::string> ImpatientStorage::Read(const std::string& path, std::size_t max_bytes) {
  return Ask<std::string>(path, [=] { return LocalStorage().Read(path, max_bytes); });
}

Result<std::string> ImpatientStorage::ReadPart(const std::string& path, std::uint64_t offset,
                                               std::size_t max_bytes) {
  return Ask<std::string>(path, [=] { return LocalStorage().ReadPart(path, offset, max_bytes); });
}

Result<FileStatus> ImpatientStorage::Stat(const std::string& path) {
  return Ask<FileStatus>(path, [path] { return LocalStorage().Stat(path); });
}

}  // namespace tidegauge
