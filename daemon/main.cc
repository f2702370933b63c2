#include <string>
#include <vector>

#include "daemon/commands/commands.h"

int main(int argc, char** argv) {
  return tidegauge::RunCommandLine(std::vector<std::string>(argv + 1, argv + argc));
}
