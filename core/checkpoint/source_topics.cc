#include "core/checkpoint/source_topics.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tidegauge {

std::set<std::string> SeparatelyReadTopics(const OffsetLogEntry& entry,
                                           std::size_t source_directories) {
  std::map<std::string, const PartitionOffsets*> seen;
  std::set<std::string> separate;
  const bool one_directory_a_line = source_directories >= entry.sources.size();
  for (const SourceOffset& source : entry.sources) {
    for (const auto& [topic, offsets] : source.topics) {
      const auto [place, first] = seen.emplace(topic, &offsets);
      if (!first && (one_directory_a_line || *place->second != offsets)) separate.insert(topic);
    }
  }
  return separate;
}

std::vector<SourceTopic> TopicsOf(const OffsetLogEntry& entry, BatchId batch,
                                  const std::set<std::string>& separately_read) {
  std::map<std::pair<std::string, std::string>, SourceTopic> topics;
  for (const SourceOffset& source : entry.sources) {
    for (const auto& [topic, offsets] : source.topics) {
      std::string id = separately_read.contains(topic) ? source.id : std::string();
      SourceTopic found{.source = id, .topic = topic, .offsets = offsets, .batch = batch};
      topics.emplace(std::pair(topic, std::move(id)), std::move(found));
    }
  }
  std::vector<SourceTopic> sorted;
  sorted.reserve(topics.size());
  for (auto& [key, topic] : topics) sorted.push_back(std::move(topic));
  return sorted;
}

}  // namespace tidegauge
