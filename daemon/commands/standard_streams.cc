#include "daemon/commands/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "daemon/commands/load_or_explain.h"

namespace tidegauge {

void OpenStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number, which is this one.
    [[maybe_unused]] const int opened = ::open("/dev/null", O_RDWR);
  }
}

bool PrintResult(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return true;
  Explain(fmt::format("standard output: {}", std::strerror(errno)));
  return false;
}

}  // namespace tidegauge
