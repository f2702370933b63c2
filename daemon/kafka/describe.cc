#include "daemon/kafka/describe.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include "core/checkpoint/layout.h"

namespace tidegauge {
namespace {

// What Kafka prints for the id that it gives to a topic without one.
constexpr std::string_view kZeroId = "AAAAAAAAAAAAAAAAAAAAAA";

struct Listing {
  std::set<std::string, std::less<>> names;
  std::int32_t broker = kNoBroker;
};

bool IsDenied(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED ||
         code == RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED ||
         code == RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED;
}

// One broker that hangs, or goes away under the question, says little of the others.
bool IsConnectionTrouble(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR__TRANSPORT || code == RD_KAFKA_RESP_ERR__TIMED_OUT;
}
constexpr int kMostAttempts = 3;

Result<Listing> ListOnce(Client& client, const Deadline& deadline) {
  const rd_kafka_metadata_t* metadata = nullptr;
  rd_kafka_resp_err_t code = RD_KAFKA_RESP_ERR_NO_ERROR;
  int attempts = 0;
  do {
    code =
        rd_kafka_metadata(client.handle(), /*all_topics=*/1, nullptr, &metadata, deadline.LeftMs());
  } while (IsConnectionTrouble(code) && ++attempts < kMostAttempts && !deadline.Passed());
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    const bool local = code < 0;  // the library's own verdict, not a broker's answer
    return std::unexpected(client.Failure(
        "listing topics",
        fmt::format("{}{}", local ? "no broker answered in time: " : "", rd_kafka_err2str(code)),
        IsDenied(code)));
  }
  Listing listing{.broker = metadata->orig_broker_id};
  for (const auto& topic : std::span(metadata->topics, metadata->topic_cnt)) {
    listing.names.emplace(topic.topic);
  }
  rd_kafka_metadata_destroy(metadata);
  client.Answered();
  return listing;
}

// At first contact it is a bootstrap address that answers, which has no broker id yet: ask again,
// to know a broker by its id.
Result<Listing> List(Client& client, const Deadline& deadline) {
  Result<Listing> listing = ListOnce(client, deadline);
  if (listing && listing->broker == kNoBroker) listing = ListOnce(client, deadline);
  return listing;
}

std::string ClusterId(Client& client) {
  // Read from the listing just answered: nothing is waited for.
  char* id = rd_kafka_clusterid(client.handle(), 0);
  if (id == nullptr) return "";
  std::string copy = id;
  rd_kafka_mem_free(client.handle(), id);
  return copy;
}

std::string TopicId(const rd_kafka_TopicDescription_t* topic) {
  const char* id = rd_kafka_Uuid_base64str(rd_kafka_TopicDescription_topic_id(topic));
  return id == nullptr || id == kZeroId ? "" : id;
}

// A leader that is not among the cluster's brokers is down: whoever asks it waits out the deadline.
std::int32_t Leader(const rd_kafka_TopicPartitionInfo_t* partition) {
  const rd_kafka_Node_t* node = rd_kafka_TopicPartitionInfo_leader(partition);
  return node == nullptr || rd_kafka_Node_host(node) == nullptr ? kNoBroker
                                                                : rd_kafka_Node_id(node);
}

TopicDescription Present(const rd_kafka_TopicDescription_t* topic) {
  TopicDescription description;
  std::size_t count = 0;
  const rd_kafka_TopicPartitionInfo_t** partitions =
      rd_kafka_TopicDescription_partitions(topic, &count);
  for (const auto* partition : std::span(partitions, count)) {
    description.leaders[rd_kafka_TopicPartitionInfo_partition(partition)] = Leader(partition);
  }
  if (description.leaders.empty()) {
    description.error = "the broker names no partitions";
    return description;
  }
  description.presence = TopicPresence::kPresent;
  description.topic_id = TopicId(topic);
  return description;
}

TopicDescription Absent(const Client& client, const std::string& name, bool listed,
                        const rd_kafka_error_t* error) {
  switch (rd_kafka_error_code(error)) {
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
      if (!listed) return {.presence = TopicPresence::kMissing};
      return {.error = "listed, but unknown by name: it is just being created or deleted"};
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
      return {.error = client.MissingRule("Describe", name)};
    default:
      return {.error = rd_kafka_error_string(error)};
  }
}

Result<EventHandle> AskByName(Client& client, const std::vector<const char*>& names,
                              std::int32_t broker, const Deadline& deadline) {
  const QueueHandle queue = client.NewQueue();
  const OptionsHandle options =
      client.NewOptions(RD_KAFKA_ADMIN_OP_DESCRIBETOPICS, deadline.Left(), broker);
  rd_kafka_TopicCollection_t* collection =
      rd_kafka_TopicCollection_of_topic_names(const_cast<const char**>(names.data()), names.size());
  rd_kafka_DescribeTopics(client.handle(), collection, options.get(), queue.get());
  rd_kafka_TopicCollection_destroy(collection);

  EventHandle event = client.Await(queue.get(), deadline);
  constexpr std::string_view kDoing = "describing topics";
  if (event == nullptr) return std::unexpected(client.Failure(kDoing, "timed out", false));
  const rd_kafka_resp_err_t code = rd_kafka_event_error(event.get());
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return std::unexpected(
        client.Failure(kDoing, rd_kafka_event_error_string(event.get()), IsDenied(code)));
  }
  return event;
}

}  // namespace

Result<ClusterDescription> Describe(Client& client, const std::set<std::string>& topics,
                                    const Deadline& deadline) {
  const Result<Listing> listing = List(client, deadline);
  if (!listing) return std::unexpected(listing.error());

  ClusterDescription cluster{.cluster_id = ClusterId(client), .broker = listing->broker};
  std::vector<const char*> names;
  for (const std::string& topic : topics) {
    if (IsLegalTopicName(topic)) {
      names.push_back(topic.c_str());
      cluster.topics[topic].error = "not answered";
    } else {
      // One such name in a request spoils the answer for all the others.
      cluster.topics[topic].error = "not a legal topic name";
    }
  }
  if (names.empty()) return cluster;

  // The broker that has just answered, not the controller, which may be the one that hangs.
  const Result<EventHandle> event = AskByName(client, names, listing->broker, deadline);
  if (!event) return std::unexpected(event.error());
  std::size_t count = 0;
  const rd_kafka_TopicDescription_t** described = rd_kafka_DescribeTopics_result_topics(
      rd_kafka_event_DescribeTopics_result(event->get()), &count);
  for (const auto* topic : std::span(described, count)) {
    if (topic == nullptr) continue;  // the broker left it out
    const std::string name = rd_kafka_TopicDescription_name(topic);
    const rd_kafka_error_t* error = rd_kafka_TopicDescription_error(topic);
    cluster.topics[name] = error == nullptr
                               ? Present(topic)
                               : Absent(client, name, listing->names.contains(name), error);
  }
  return cluster;
}

}  // namespace tidegauge
