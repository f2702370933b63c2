#include <cstddef>
#include <cstdint>

#include "core/checkpoint/commit_log.h"
#include "tests/fuzz/fuzz_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = tidegauge::CheckCommitLogEntry({reinterpret_cast<const char*>(data), size});
  tidegauge::fuzz::Check(read.has_value() || !read.error().message.empty(),
                         "an error says what is wrong");
  tidegauge::fuzz::Check(!read || size >= 2, "nothing is no commit");
  return 0;
}
