#include "daemon/state/owner_lock.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace tidegauge {
namespace {

Error Fault(const std::string& directory, int error) {
  if (error == EACCES || error == EPERM || error == EROFS) {
    return {ErrorKind::kDenied, fmt::format("state directory {} is not writable for uid {}: {}",
                                            directory, ::geteuid(), std::strerror(error))};
  }
  return {ErrorKind::kUnavailable,
          fmt::format("state directory {} cannot be locked: {}", directory, std::strerror(error))};
}

/// What the owner wrote about itself; empty: it is not told.
std::string OwnerOf(int fd) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(fd, text.data(), text.size(), 0);
  std::string_view pid(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  pid = pid.substr(0, pid.find_first_not_of("0123456789"));
  return pid.empty() ? "" : fmt::format(" (process {})", pid);
}

}  // namespace

Result<OwnerLock> OwnerLock::Take(const std::string& directory) {
  const std::string path = directory + "/tidegauge.lock";
  OwnerLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640));
  if (lock.fd_ < 0) return std::unexpected(Fault(directory, errno));
  if (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return std::unexpected(Fault(directory, errno));
    return Fail(ErrorKind::kUnavailable,
                fmt::format("state directory {} is in use by another tidegauge{}", directory,
                            OwnerOf(lock.fd_)));
  }
  const std::string pid = fmt::format("{}\n", ::getpid());
  // Only for the message above.
  if (::ftruncate(lock.fd_, 0) == 0) (void)!::pwrite(lock.fd_, pid.data(), pid.size(), 0);
  return lock;
}

void OwnerLock::Release() const { (void)::flock(fd_, LOCK_UN); }

OwnerLock::~OwnerLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace tidegauge
