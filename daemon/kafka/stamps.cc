#include "daemon/kafka/stamps.h"

#include <span>
#include <string_view>
#include <vector>

#include <librdkafka/rdkafka.h>

#include "daemon/kafka/describe.h"
#include "daemon/kafka/list_offsets.h"

namespace tidegauge {
namespace {

constexpr const char* kTypeProperty = "message.timestamp.type";

// A question for topics' timestamp types that is under way.
class TypeQuestion {
 public:
  TypeQuestion(Client& client, const std::vector<std::string>& topics, std::int32_t broker,
               const Deadline& deadline)
      : client_(client), deadline_(deadline), queue_(client.NewQueue()) {
    std::vector<rd_kafka_ConfigResource_t*> resources;
    for (const std::string& topic : topics) {
      resources.push_back(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str()));
      // Asks for this property alone; the value is not sent.
      rd_kafka_ConfigResource_set_config(resources.back(), kTypeProperty, "");
    }
    const OptionsHandle options =
        client.NewOptions(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, deadline.Left(), broker);
    rd_kafka_DescribeConfigs(client.handle(), resources.data(), resources.size(), options.get(),
                             queue_.get());
    rd_kafka_ConfigResource_destroy_array(resources.data(), resources.size());
  }

  std::map<std::string, TimestampType> Answer() const {
    std::map<std::string, TimestampType> types;
    const EventHandle event = client_.Await(queue_.get(), deadline_);
    if (event == nullptr || rd_kafka_event_error(event.get()) != RD_KAFKA_RESP_ERR_NO_ERROR) {
      return types;
    }
    std::size_t count = 0;
    const rd_kafka_ConfigResource_t** resources = rd_kafka_DescribeConfigs_result_resources(
        rd_kafka_event_DescribeConfigs_result(event.get()), &count);
    for (const auto* resource : std::span(resources, count)) {
      types[rd_kafka_ConfigResource_name(resource)] = TypeOf(resource);
    }
    return types;
  }

 private:
  static TimestampType TypeOf(const rd_kafka_ConfigResource_t* resource) {
    if (rd_kafka_ConfigResource_error(resource) != RD_KAFKA_RESP_ERR_NO_ERROR) {
      return TimestampType::kUnknown;
    }
    std::size_t count = 0;
    const rd_kafka_ConfigEntry_t** entries = rd_kafka_ConfigResource_configs(resource, &count);
    for (const auto* entry : std::span(entries, count)) {
      const char* value = rd_kafka_ConfigEntry_value(entry);
      if (value == nullptr || rd_kafka_ConfigEntry_name(entry) != std::string_view(kTypeProperty)) {
        continue;
      }
      if (value == std::string_view("CreateTime")) return TimestampType::kCreateTime;
      if (value == std::string_view("LogAppendTime")) return TimestampType::kLogAppendTime;
    }
    return TimestampType::kUnknown;
  }

  Client& client_;
  const Deadline& deadline_;
  QueueHandle queue_;
};

constexpr std::int64_t kFirstRecord =
    0;  // the first record stamped in 1970 or later: the first of all

struct Questions {
  std::vector<std::string> topics;
  std::vector<OffsetQuestion> offsets;
};

Questions QuestionsFor(const ClusterDescription& cluster) {
  Questions questions;
  for (const auto& [name, topic] : cluster.topics) {
    if (topic.presence != TopicPresence::kPresent) continue;
    questions.topics.push_back(name);
    for (const auto& [partition, leader] : topic.leaders) {
      questions.offsets.push_back({name, partition, leader, kFirstRecord});
      questions.offsets.push_back({name, partition, leader, kNewestTimestamp});
    }
  }
  return questions;
}

// The questions of one partition follow each other: first record, then newest timestamp.
void Take(TopicStamps& stamps, Partition partition, const OffsetReply& first,
          const OffsetReply& newest) {
  if (!first.offset || !first.timestamp) return;
  stamps.first[partition] = {*first.offset, *first.timestamp};
  if (!newest.offset || !newest.timestamp) return;
  // After DeleteRecords a broker (4.1) still names a deleted record as the newest, even in a
  // partition that is empty.
  if (*newest.offset >= *first.offset) {
    stamps.newest[partition] = {*newest.offset, *newest.timestamp};
  }
}

}  // namespace

Result<std::map<std::string, TopicStamps, std::less<>>> AskStamps(
    Client& client, const std::set<std::string>& topics, const Deadline& deadline) {
  const Result<ClusterDescription> cluster = Describe(client, topics, deadline);
  if (!cluster) return std::unexpected(cluster.error());
  const Questions questions = QuestionsFor(*cluster);
  std::map<std::string, TopicStamps, std::less<>> answer;
  if (questions.topics.empty()) return answer;

  const TypeQuestion type_question(client, questions.topics, cluster->broker, deadline);
  const std::vector<OffsetReply> replies = ListOffsets(client, questions.offsets, deadline);
  for (std::size_t i = 0; i + 1 < replies.size(); i += 2) {
    if (!replies[i].error.empty()) continue;
    const OffsetQuestion& question = questions.offsets[i];
    Take(answer[question.topic], question.partition, replies[i], replies[i + 1]);
  }
  for (const auto& [topic, type] : type_question.Answer()) {
    if (const auto found = answer.find(topic); found != answer.end()) found->second.type = type;
  }
  return answer;
}

}  // namespace tidegauge
