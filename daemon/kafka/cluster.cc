#include "daemon/kafka/cluster.h"

#include <utility>
#include <vector>

#include "daemon/kafka/client.h"
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

/// A client that met the cluster while all its brokers were fenced (just thawed, or just started)
/// was told of no broker at all: librdkafka 2.14 then gives up the last one it knew, and never
/// connects again. So a client that fails this often in a row is replaced.
constexpr int kFailuresOfOneClient = 2;

class LiveCluster : public Cluster {
 public:
  LiveCluster(KafkaClientSettings settings, std::unique_ptr<Client> client)
      : settings_(std::move(settings)), client_(std::move(client)) {}

  Result<ClusterAnswer> Fetch(const std::set<std::string>& topics, Duration timeout) override {
    const Deadline deadline(timeout);
    ReplaceClientThatOnlyFails();
    Result<ClusterDescription> cluster = Describe(*client_, topics, deadline);
    failures_ = cluster ? 0 : failures_ + 1;
    if (!cluster) return std::unexpected(cluster.error());
    const std::vector<OffsetQuestion> questions = QuestionsFor(*cluster);
    ClusterAnswer answer = AnswerOf(*std::move(cluster));
    const std::vector<OffsetReply> replies = ListOffsets(*client_, questions, deadline);
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
    return AskStamps(*client_, topics, Deadline(timeout));
  }

 private:
  void ReplaceClientThatOnlyFails() {
    if (failures_ < kFailuresOfOneClient) return;
    if (auto fresh = Client::Create(settings_)) client_ = *std::move(fresh);
    failures_ = 0;
  }

  KafkaClientSettings settings_;
  std::unique_ptr<Client> client_;
  int failures_ = 0;  // of `client_`, in a row
};

}  // namespace

Result<std::unique_ptr<Cluster>> MakeKafkaCluster(const KafkaClientSettings& settings) {
  Result<std::unique_ptr<Client>> client = Client::Create(settings);
  if (!client) return std::unexpected(client.error());
  return std::make_unique<LiveCluster>(settings, *std::move(client));
}

}  // namespace tidegauge
