#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/checkpoint/layout.h"
#include "core/checkpoint/offset_log.h"
#include "core/checkpoint/source_topics.h"
#include "core/checkpoint/steps.h"
#include "tests/fuzz/fuzz_check.h"

namespace tidegauge {
namespace {

using fuzz::Check;

void CheckTopics(const TopicOffsets& topics) {
  for (const auto& [topic, offsets] : topics) {
    Check(IsLegalTopicName(topic), "topics have legal names");
    Check(!offsets.empty(), "a topic has partitions");
    for (const auto& [partition, offset] : offsets) {
      Check(partition >= 0 && offset >= 0, "partitions and offsets are not negative");
    }
  }
}

void CheckEntry(const OffsetLogEntry& entry) {
  std::set<std::string> ids;
  for (const SourceOffset& source : entry.sources) {
    Check(ids.insert(source.id).second, "sources differ by id");
    Check((source.kind == SourceKind::kKafka) == !source.topics.empty(), "only Kafka has topics");
    CheckTopics(source.topics);
  }
  Check(!entry.sources.empty(), "there is at least one source");
  Check(entry.version == 1 || entry.version == 2, "the version is known");
  const auto separate = SeparatelyReadTopics(entry, 1);
  Check(separate == SeparatelyReadTopics(entry, 1), "reading twice says the same");
  const auto topics = TopicsOf(entry, 0, separate);
  Check(std::ranges::is_sorted(topics, {}, &SourceTopic::topic), "topics are in order");
  Check(StepsBetween(nullptr, entry, entry, 1, separate).empty(), "nothing is no step");
}

}  // namespace
}  // namespace tidegauge

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto entry = tidegauge::ParseOffsetLogEntry({reinterpret_cast<const char*>(data), size});
  if (entry) {
    tidegauge::CheckEntry(*entry);
  } else {
    tidegauge::fuzz::Check(!entry.error().message.empty(), "an error says what is wrong");
  }
  return 0;
}
