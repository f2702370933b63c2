#include "config/replay_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/nearest.h"
#include "config/read_text.h"
#include "config/topic_id.h"
#include "config/yaml_node.h"

namespace tidegauge {
namespace {

using Kind = YamlNode::Kind;

// A partition with ten records by time is about 40 values.
constexpr YamlLimits kLimits{.nodes = 4'000'000, .depth = 16};

// As Kafka's Topic.validate has it.
bool IsTopicName(std::string_view name) {
  return !name.empty() && name.size() <= 249 && name != "." && name != ".." &&
         std::ranges::all_of(name, [](unsigned char c) {
           return c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
         });
}

class ReplayReader {
 public:
  explicit ReplayReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  RecordedCluster ReadCluster(const YamlNode& node) {
    RecordedCluster cluster;
    if (!IsMapping(node, "the file", {"cluster_id", "topics"})) return cluster;
    if (const YamlNode* id = node.Find("cluster_id"))
      cluster.cluster_id = ReadText(*id, "cluster_id");
    const YamlNode* topics = node.Find("topics");
    if (topics == nullptr) {
      Add(node, "'topics' is missing: write topics: {} for a cluster without topics");
    } else if (IsMapping(*topics, "'topics'")) {
      ForEach(*topics, [&](const YamlNode& key, const YamlNode& topic) {
        if (!IsTopicName(key.scalar)) Add(key, fmt::format("'{}' is no topic name", key.scalar));
        cluster.topics[key.scalar] = ReadTopic(topic);
      });
    }
    return cluster;
  }

 private:
  void Add(const YamlNode& node, std::string message) {
    mistakes_.push_back({node.line, node.column, std::move(message)});
  }

  template <typename F>
  static void ForEach(const YamlNode& mapping, F read) {
    for (std::size_t i = 0; i < mapping.keys.size(); ++i) read(mapping.keys[i], mapping.items[i]);
  }

  bool IsMapping(const YamlNode& node, std::string_view name) {
    if (node.kind == Kind::kMapping) return true;
    Add(node, fmt::format("{} must be a mapping, not {}", name, Describe(node.kind)));
    return false;
  }

  bool IsMapping(const YamlNode& node, std::string_view name,
                 const std::vector<std::string>& known) {
    if (!IsMapping(node, name)) return false;
    for (const YamlNode& key : node.keys) {
      if (std::ranges::find(known, key.scalar) != known.end()) continue;
      Add(key, fmt::format("unknown key '{}'{}", key.scalar, Suggestion(key.scalar, known)));
    }
    return true;
  }

  std::string ReadText(const YamlNode& node, std::string_view name) {
    if (node.kind == Kind::kScalar) return node.scalar;
    Add(node, fmt::format("'{}' must be text, not {}", name, Describe(node.kind)));
    return {};
  }

  std::optional<std::int64_t> ReadNumber(
      const YamlNode& node, std::string_view name,
      std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    std::int64_t number = -1;
    const char* end = node.scalar.data() + node.scalar.size();
    const auto [stop, error] = std::from_chars(node.scalar.data(), end, number);
    if (node.kind == Kind::kScalar && error == std::errc() && stop == end && number >= 0 &&
        number <= most) {
      return number;
    }
    Add(node, fmt::format("{} must be a whole number from 0 to {}, not {}", name, most,
                          node.kind == Kind::kScalar ? fmt::format("'{}'", node.scalar)
                                                     : std::string(Describe(node.kind))));
    return std::nullopt;
  }

  RecordedTopic ReadTopic(const YamlNode& node) {
    RecordedTopic topic;
    if (!IsMapping(node, "a topic", {"id", "timestamp_type", "partitions"})) return topic;
    if (const YamlNode* id = node.Find("id")) topic.id = ReadId(*id);
    if (const YamlNode* type = node.Find("timestamp_type")) {
      topic.timestamp_type = ReadTimestampType(*type);
    }
    const YamlNode* partitions = node.Find("partitions");
    if (partitions == nullptr) {
      Add(node, "'partitions' is missing");
    } else if (IsMapping(*partitions, "'partitions'")) {
      ForEach(*partitions, [&](const YamlNode& key, const YamlNode& partition) {
        const auto number = ReadNumber(key, "a partition", std::numeric_limits<Partition>::max());
        RecordedPartition read = ReadPartition(partition);
        if (!number) return;
        if (!topic.partitions.emplace(static_cast<Partition>(*number), std::move(read)).second) {
          Add(key, fmt::format("partition {} is there twice", *number));
        }
      });
    }
    return topic;
  }

  std::string ReadId(const YamlNode& node) {
    const std::string text = ReadText(node, "id");
    if (const auto id = NormaliseTopicId(text)) return *id;
    if (node.kind == Kind::kScalar) {
      Add(node,
          fmt::format("'id' must be the 22 characters of a topic id in base64, not '{}'", text));
    }
    return {};
  }

  TimestampType ReadTimestampType(const YamlNode& node) {
    const std::string text = ReadText(node, "timestamp_type");
    if (text == "CreateTime") return TimestampType::kCreateTime;
    if (text == "LogAppendTime") return TimestampType::kLogAppendTime;
    if (node.kind == Kind::kScalar) {
      Add(node,
          fmt::format("'timestamp_type' must be CreateTime or LogAppendTime, not '{}'", text));
    }
    return TimestampType::kUnknown;
  }

  RecordedPartition ReadPartition(const YamlNode& node) {
    RecordedPartition partition;
    if (!IsMapping(node, "a partition", {"log_start", "log_end", "by_time"})) return partition;
    if (const YamlNode* start = node.Find("log_start")) {
      partition.log_start = ReadNumber(*start, "'log_start'");
    }
    if (const YamlNode* end = node.Find("log_end")) {
      partition.log_end = ReadNumber(*end, "'log_end'");
    }
    if (const YamlNode* by_time = node.Find("by_time")) partition.by_time = ReadByTime(*by_time);
    return partition;
  }

  std::vector<std::pair<Time, Offset>> ReadByTime(const YamlNode& node) {
    std::vector<std::pair<Time, Offset>> by_time;
    if (node.kind != Kind::kSequence) {
      Add(node, fmt::format("'by_time' must be a list of [timestamp, offset] pairs, not {}",
                            Describe(node.kind)));
      return by_time;
    }
    for (const YamlNode& item : node.items) {
      const auto pair = ReadPair(item);
      if (!pair) continue;
      if (!by_time.empty() &&
          (pair->first < by_time.back().first || pair->second < by_time.back().second)) {
        Add(item, "'by_time' must ascend, in timestamps and in offsets");
      }
      by_time.push_back(*pair);
    }
    return by_time;
  }

  std::optional<std::pair<Time, Offset>> ReadPair(const YamlNode& node) {
    if (node.kind != Kind::kSequence || node.items.size() != 2) {
      Add(node, "an entry of 'by_time' must be a pair: [timestamp in milliseconds, offset]");
      return std::nullopt;
    }
    const auto timestamp = ReadNumber(node.items[0], "a timestamp");
    const auto offset = ReadNumber(node.items[1], "an offset");
    if (!timestamp || !offset) return std::nullopt;
    return std::pair(Time(Duration(*timestamp)), *offset);
  }

  Mistakes& mistakes_;
};

std::string FormatPartition(const RecordedPartition& partition) {
  std::vector<std::string> fields;
  if (partition.log_start) fields.push_back(fmt::format("log_start: {}", *partition.log_start));
  if (partition.log_end) fields.push_back(fmt::format("log_end: {}", *partition.log_end));
  if (!partition.by_time.empty()) {
    std::vector<std::string> pairs;
    pairs.reserve(partition.by_time.size());
    for (const auto& [time, offset] : partition.by_time) {
      pairs.push_back(fmt::format("[{}, {}]", time.time_since_epoch().count(), offset));
    }
    fields.push_back(fmt::format("by_time: [{}]", fmt::join(pairs, ", ")));
  }
  return fmt::format("{{{}}}", fmt::join(fields, ", "));
}

std::string FormatTopic(const RecordedTopic& topic) {
  std::string text;
  if (!topic.id.empty()) text += fmt::format("    id: {}\n", YamlScalar(topic.id));
  if (topic.timestamp_type == TimestampType::kCreateTime)
    text += "    timestamp_type: CreateTime\n";
  if (topic.timestamp_type == TimestampType::kLogAppendTime) {
    text += "    timestamp_type: LogAppendTime\n";
  }
  if (topic.partitions.empty()) return text + "    partitions: {}\n";
  text += "    partitions:\n";
  for (const auto& [number, partition] : topic.partitions) {
    text += fmt::format("      {}: {}\n", number, FormatPartition(partition));
  }
  return text;
}

}  // namespace

std::expected<RecordedCluster, Mistakes> ParseReplay(std::string_view text) {
  Mistakes mistakes;
  const auto root = ParseYaml(text, mistakes, kLimits);
  if (!root) return std::unexpected(InOrder(std::move(mistakes)));
  RecordedCluster cluster = ReplayReader(mistakes).ReadCluster(*root);
  if (mistakes.empty()) return cluster;
  return std::unexpected(InOrder(std::move(mistakes)));
}

std::expected<RecordedCluster, Mistakes> LoadReplayFile(const std::string& file) {
  const auto text = ReadText(file, kMaxReplayBytes);
  if (!text) return std::unexpected(Mistakes{{0, 0, text.error().message}});
  return ParseReplay(*text);
}

std::string FormatReplay(const RecordedCluster& cluster) {
  std::string text;
  if (!cluster.cluster_id.empty()) {
    text += fmt::format("cluster_id: {}\n", YamlScalar(cluster.cluster_id));
  }
  if (cluster.topics.empty()) return text + "topics: {}\n";
  text += "topics:\n";
  for (const auto& [name, topic] : cluster.topics) {
    text += fmt::format("  {}:\n", YamlScalar(name)) + FormatTopic(topic);
  }
  return text;
}

Result<void> WriteReplayFile(const std::string& file, const RecordedCluster& cluster) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << FormatReplay(cluster);
  stream.close();
  if (stream) return {};
  const int error = errno;
  return Fail(
      error == EACCES || error == EPERM ? ErrorKind::kDenied : ErrorKind::kUnavailable,
      fmt::format("{} cannot be written: {}", file, std::generic_category().message(error)));
}

}  // namespace tidegauge
