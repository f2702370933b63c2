#include "tests/daemon/expose/golden.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tidegauge {

std::string Golden(const std::string& name, std::string_view actual) {
  const std::string path = std::string(TIDEGAUGE_TESTDATA) + "/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace tidegauge
