#include "daemon/kafka/cluster.h"

#include <utility>
#include <vector>

#include "daemon/kafka/current_client.h"
#include "daemon/kafka/describe.h"
#include "daemon/kafka/list_offsets.h"
#include "daemon/kafka/stamps.h"

namespace tidegauge {
namespace {

std::vector<OffsetQuestion> QuestionsFor(const ClusterDescription& cluster) {
  std::vector<OffsetQuestion> questions;
  for (const auto& [name, topic] : cluster.topics) {
    for (const auto& [partition, leader] : topic.leaders) {
      questions.push_back({name, partition, leader, kLogStart});
      questions.push_back({name, partition, leader, kLogEnd});
    }
  }
  return questions;
}

ClusterAnswer AnswerOf(ClusterDescription cluster) {
  ClusterAnswer answer{.cluster_id = std::move(cluster.cluster_id)};
  for (auto& [name, topic] : cluster.topics) {
    TopicAnswer& entry = answer.topics[name];
    entry = {topic.presence, std::move(topic.topic_id), {}, std::move(topic.error)};
    for (const auto& [partition, leader] : topic.leaders) entry.partitions[partition] = {};
  }
  return answer;
}

void Take(PartitionWatermarks& watermarks, const OffsetQuestion& question,
          const OffsetReply& reply) {
  (question.at == kLogStart ? watermarks.log_start : watermarks.log_end) = reply.offset;
  if (!reply.error.empty()) watermarks.error = reply.error;
}

// Start and end are asked one beside the other: when the topic is recreated in that moment they may
// be of two lives.
void RefuseCrossed(PartitionWatermarks& watermarks) {
  if (!watermarks.log_start || !watermarks.log_end) return;
  if (*watermarks.log_start <= *watermarks.log_end) return;
  watermarks = {.error = "log start was answered beyond log end: it changed while being asked"};
}

class LiveCluster : public Cluster {
 public:
  explicit LiveCluster(CurrentClient client) : client_(std::move(client)) {}

  Result<ClusterAnswer> Fetch(const std::set<std::string>& topics, Duration timeout) override {
    const Deadline deadline(timeout);
    Result<ClusterDescription> cluster = client_.Describe(topics, deadline);
    if (!cluster) return std::unexpected(cluster.error());
    const std::vector<OffsetQuestion> questions = QuestionsFor(*cluster);
    ClusterAnswer answer = AnswerOf(*std::move(cluster));
    const std::vector<OffsetReply> replies = ListOffsets(client_.get(), questions, deadline);
    for (std::size_t i = 0; i < replies.size(); ++i) {
      const OffsetQuestion& question = questions[i];
      Take(answer.topics[question.topic].partitions[question.partition], question, replies[i]);
    }
    for (auto& [name, topic] : answer.topics) {
      for (auto& [partition, watermarks] : topic.partitions) RefuseCrossed(watermarks);
    }
    return answer;
  }

  Result<std::map<std::string, TopicStamps, std::less<>>> Stamps(
      const std::set<std::string>& topics, Duration timeout) override {
    return AskStamps(client_.get(), topics, Deadline(timeout));
  }

 private:
  CurrentClient client_;
};

}  // namespace

Result<std::unique_ptr<Cluster>> MakeKafkaCluster(
    const KafkaClientSettings& settings, std::map<std::string, std::string> properties_file,
    ReadFile read) {
  auto client = CurrentClient::Make({settings, std::move(properties_file), std::move(read)});
  if (!client) return std::unexpected(client.error());
  return std::make_unique<LiveCluster>(*std::move(client));
}

}  // namespace tidegauge
