// Offsets as one line of text, for tables and messages.
#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/snapshot.h"

namespace tidegauge::testing {

/// `topic[partition=offset,…]@batch`, separated by blanks.
inline std::string TopicsText(const std::vector<SourceTopic>& topics) {
  std::string text;
  for (const SourceTopic& topic : topics) {
    if (!text.empty()) text += ' ';
    text += topic.source.empty() ? topic.topic : topic.source + ":" + topic.topic;
    std::string partitions;
    for (const auto& [partition, offset] : topic.offsets) {
      if (!partitions.empty()) partitions += ',';
      partitions += std::to_string(partition) + "=" + std::to_string(offset);
    }
    text += "[" + partitions + "]@" + std::to_string(topic.batch);
  }
  return text;
}

}  // namespace tidegauge::testing
