#include "daemon/kafka/replay_cluster.h"

#include <algorithm>

namespace tidegauge {
namespace {

PartitionWatermarks WatermarksOf(const RecordedPartition& partition) {
  PartitionWatermarks watermarks{partition.log_start, partition.log_end, ""};
  if (!watermarks.log_start || !watermarks.log_end) watermarks.error = "not in the recording";
  return watermarks;
}

TopicAnswer AnswerOf(const RecordedTopic& topic) {
  TopicAnswer answer{.presence = TopicPresence::kPresent, .topic_id = topic.id};
  for (const auto& [partition, recorded] : topic.partitions) {
    answer.partitions[partition] = WatermarksOf(recorded);
  }
  return answer;
}

TopicStamps StampsOf(const RecordedTopic& topic) {
  TopicStamps stamps{.type = topic.timestamp_type};
  for (const auto& [partition, recorded] : topic.partitions) {
    if (recorded.by_time.empty()) continue;
    const auto& [timestamp, offset] = recorded.by_time.front();
    stamps.first[partition] = {offset, timestamp};
    const auto& newest = std::ranges::max(recorded.by_time);
    stamps.newest[partition] = {newest.second, newest.first};
  }
  return stamps;
}

}  // namespace

Result<ClusterAnswer> ReplayCluster::Fetch(const std::set<std::string>& topics, Duration) {
  ClusterAnswer answer{.cluster_id = recording_.cluster_id};
  for (const std::string& name : topics) {
    const auto found = recording_.topics.find(name);
    answer.topics[name] = found != recording_.topics.end()
                              ? AnswerOf(found->second)
                              : TopicAnswer{.presence = TopicPresence::kMissing};
  }
  return answer;
}

Result<std::map<std::string, TopicStamps, std::less<>>> ReplayCluster::Stamps(
    const std::set<std::string>& topics, Duration) {
  std::map<std::string, TopicStamps, std::less<>> answer;
  for (const std::string& name : topics) {
    const auto found = recording_.topics.find(name);
    if (found != recording_.topics.end()) answer[name] = StampsOf(found->second);
  }
  return answer;
}

}  // namespace tidegauge
