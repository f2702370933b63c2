#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "daemon/commands/commands.h"
#include "daemon/commands/standard_streams.h"

int main(int argc, char** argv) {
  tidegauge::OpenStandardStreams();
  const int status = tidegauge::RunCommandLine(std::vector<std::string>(argv + 1, argv + argc));
  std::fflush(nullptr);
  // No static is destroyed: a thread that was given up in a read may return, and use it, at any
  // moment.
  std::_Exit(status);
}
