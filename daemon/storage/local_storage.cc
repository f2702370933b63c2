#include "daemon/storage/local_storage.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/file_descriptor.h"

namespace tidegauge {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

constexpr std::string_view kReadFile = "r";
constexpr std::string_view kListDirectory = "rx";

/// Who is refused, and where: the first directory on the way that cannot be searched, else `path`.
Error Denied(const std::string& path, std::string_view needed) {
  std::string where = path;
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    std::string parent = path.substr(0, slash);
    if (::faccessat(AT_FDCWD, parent.c_str(), X_OK, AT_EACCESS) == 0) continue;
    where = std::move(parent);
    needed = "x";
    break;
  }
  std::string grant = fmt::format("setfacl -m u:{}:{} '{}'", ::geteuid(), needed, where);
  if (where == path)
    return {ErrorKind::kDenied,
            fmt::format("{}: permission denied; grant it, e.g. {}", path, grant)};
  return {ErrorKind::kDenied,
          fmt::format("{}: permission denied at {}; grant it, e.g. {}", path, where, grant)};
}

Error SystemError(const std::string& path, int error, std::string_view needed) {
  switch (error) {
    case EACCES:
    case EPERM:
      return Denied(path, needed);
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
      return {ErrorKind::kNotFound, fmt::format("{}: {}", path, std::strerror(error))};
    default:
      return {ErrorKind::kUnavailable, fmt::format("{}: {}", path, std::strerror(error))};
  }
}

Error NotRegular(const std::string& path) {
  return {ErrorKind::kCorrupt, fmt::format("{} is not a regular file", path)};
}

Error TooLarge(const std::string& path, std::size_t max_bytes) {
  return {ErrorKind::kCorrupt, fmt::format("{} has more than {} bytes", path, max_bytes)};
}

/// What the system would take for another, shorter path.
bool HasNul(const std::string& path) { return path.find('\0') != std::string::npos; }

Error NoSuchName(const std::string& path) {
  return {ErrorKind::kNotFound,
          fmt::format("{}: a file name cannot hold a NUL byte", path.c_str())};
}

/// O_NONBLOCK: the open of a FIFO would wait for a writer.
Result<FileDescriptor> OpenToRead(const std::string& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0) return FileDescriptor(fd);
  // Sockets and devices without a driver.
  if (errno == ENXIO || errno == ENODEV) return std::unexpected(NotRegular(path));
  return std::unexpected(SystemError(path, errno, kReadFile));
}

/// The file, opened, with its size.
Result<std::pair<FileDescriptor, std::size_t>> OpenRegular(const std::string& path) {
  if (HasNul(path)) return std::unexpected(NoSuchName(path));
  Result<FileDescriptor> fd = OpenToRead(path);
  if (!fd) return std::unexpected(std::move(fd.error()));
  struct stat status{};
  if (::fstat(fd->get(), &status) != 0) return std::unexpected(SystemError(path, errno, kReadFile));
  if (!S_ISREG(status.st_mode)) return std::unexpected(NotRegular(path));
  return std::pair(std::move(*fd), static_cast<std::size_t>(status.st_size));
}

/// Reads up to the end, or to one byte more than `max_bytes`. `expected` is a hint: a file can
/// grow.
Result<std::string> ReadToEnd(int fd, const std::string& path, std::size_t expected,
                              std::size_t max_bytes) {
  std::string text(std::min(expected, max_bytes) + 1, '\0');
  std::size_t size = 0;
  while (true) {
    ssize_t got = ::read(fd, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(SystemError(path, errno, kReadFile));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > max_bytes) return std::unexpected(TooLarge(path, max_bytes));
    if (size == text.size()) text.resize(std::min(size * 2, max_bytes + 1));
  }
  text.resize(size);
  return text;
}

EntryKind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return EntryKind::kFile;
  return S_ISDIR(mode) ? EntryKind::kDirectory : EntryKind::kOther;
}

Time ModifiedAt(const struct stat& status) {
  return Time(std::chrono::floor<Duration>(std::chrono::seconds(status.st_mtim.tv_sec) +
                                           std::chrono::nanoseconds(status.st_mtim.tv_nsec)));
}

}  // namespace

std::string LocalPath(const std::string& path) {
  constexpr std::string_view kScheme = "file:";
  if (!path.starts_with("file:/")) return path;
  std::size_t authority = path.starts_with("file:///") ? 2 : 0;
  return path.substr(kScheme.size() + authority);
}

Result<std::vector<std::string>> LocalStorage::List(const std::string& directory) {
  const std::string path = LocalPath(directory);
  if (HasNul(path)) return std::unexpected(NoSuchName(path));
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC));
  if (!fd) return std::unexpected(SystemError(path, errno, kListDirectory));
  Directory stream(::fdopendir(fd.get()));
  if (!stream) return std::unexpected(SystemError(path, errno, kListDirectory));
  fd.Release();

  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr) break;
    std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() == max_entries_) {
      return Fail(ErrorKind::kUnavailable,
                  fmt::format("{} has more than {} entries", path, max_entries_));
    }
    names.emplace_back(name);
  }
  if (errno != 0) return std::unexpected(SystemError(path, errno, kListDirectory));
  return names;
}

Result<std::string> LocalStorage::Read(const std::string& path, std::size_t max_bytes) {
  const std::string local = LocalPath(path);
  auto opened = OpenRegular(local);
  if (!opened) return std::unexpected(std::move(opened.error()));
  const auto& [fd, size] = *opened;
  if (size > max_bytes) return std::unexpected(TooLarge(local, max_bytes));
  return ReadToEnd(fd.get(), local, size, max_bytes);
}

Result<std::string> LocalStorage::ReadPart(const std::string& path, std::uint64_t offset,
                                           std::size_t max_bytes) {
  const std::string local = LocalPath(path);
  auto opened = OpenRegular(local);
  if (!opened) return std::unexpected(std::move(opened.error()));
  const auto& [fd, size] = *opened;
  std::string text(offset < size ? std::min<std::size_t>(size - offset, max_bytes) : 0, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t got = ::pread(fd.get(), text.data() + filled, text.size() - filled,
                                static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(SystemError(local, errno, kReadFile));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  return text;
}

Result<FileStatus> LocalStorage::Stat(const std::string& path) {
  const std::string local = LocalPath(path);
  if (HasNul(local)) return std::unexpected(NoSuchName(local));
  struct stat status{};
  if (::stat(local.c_str(), &status) != 0) {
    return std::unexpected(SystemError(local, errno, kReadFile));
  }
  return FileStatus{.kind = KindOf(status.st_mode),
                    .size = static_cast<std::uint64_t>(status.st_size),
                    .modified = ModifiedAt(status)};
}

}  // namespace tidegauge
