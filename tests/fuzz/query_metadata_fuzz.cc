#include <cstddef>
#include <cstdint>

#include "core/checkpoint/query_metadata.h"
#include "tests/fuzz/fuzz_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto id = tidegauge::ParseQueryMetadata({reinterpret_cast<const char*>(data), size});
  tidegauge::fuzz::Check(id ? !id->empty() : !id.error().message.empty(),
                         "there is an id, or a reason why not");
  return 0;
}
