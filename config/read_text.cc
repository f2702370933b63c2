#include "config/read_text.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fmt/format.h>

namespace tidegauge {
namespace {

std::unexpected<Error> FailWith(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return Fail(ErrorKind::kNotFound, "no such file: check the path, or create it");
    case EACCES:
    case EPERM:
      return Fail(ErrorKind::kDenied,
                  "permission denied: let the user that runs tidegauge read it");
    case EISDIR:
      return Fail(ErrorKind::kInvalid, "is a directory: name a file");
    default:
      return Fail(ErrorKind::kUnavailable,
                  "cannot be read: " + std::generic_category().message(error));
  }
}

}  // namespace

Result<std::string> ReadText(const std::string& path, std::size_t max_bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             &std::fclose);
  if (!file) return FailWith(errno);
  std::string text;
  std::array<char, 65536> chunk;
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    if (got > max_bytes - text.size()) {
      return Fail(ErrorKind::kInvalid, fmt::format("larger than {} bytes", max_bytes));
    }
    text.append(chunk.data(), got);
  }
  if (std::ferror(file.get()) != 0) return FailWith(errno);
  return text;
}

}  // namespace tidegauge
