#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/checkpoint/layout.h"
#include "core/checkpoint/offset_log.h"
#include "tests/fuzz/fuzz_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tidegauge::fuzz::Check;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto topics = tidegauge::ParseInitialOffsets(text);
  if (!topics) {
    Check(!topics.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  Check(tidegauge::IsKafkaInitialOffsets(text), "only Kafka's are read");
  for (const auto& [topic, offsets] : *topics) {
    Check(tidegauge::IsLegalTopicName(topic), "topics have legal names");
    for (const auto& [partition, offset] : offsets) {
      Check(partition >= 0 && offset >= 0, "partitions and offsets are not negative");
    }
  }
  return 0;
}
