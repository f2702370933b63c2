#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "daemon/commands/commands.h"
#include "daemon/commands/standard_streams.h"

namespace {

/// No memory of this process, which may hold secrets, goes to a file. The kernel takes 1 for "no
/// core, and none to a program either" (fs/coredump.c), where 0 would still feed a program.
void ForbidCore() {
  const rlimit none{.rlim_cur = 1, .rlim_max = 1};
  setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

int main(int argc, char** argv) {
  ForbidCore();
  tidegauge::OpenStandardStreams();
  const int status = tidegauge::RunCommandLine(std::vector<std::string>(argv + 1, argv + argc));
  std::fflush(nullptr);
  // No static is destroyed: a thread that was given up in a read may return, and use it, at any
  // moment.
  std::_Exit(status);
}
