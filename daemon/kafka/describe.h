// Which topics there are, under which ids, and which broker leads each of their partitions.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "core/model.h"
#include "core/ports.h"
#include "core/result.h"
#include "daemon/kafka/client.h"
#include "daemon/kafka/deadline.h"

namespace tidegauge {

inline constexpr std::int32_t kNoBroker = -1;

struct TopicDescription {
  TopicPresence presence = TopicPresence::kUnknown;
  std::string error;     ///< why presence is kUnknown
  std::string topic_id;  ///< Kafka's base64 form; empty when there is none
  /// Every partition, and the broker that leads it: kNoBroker if none can be asked.
  std::map<Partition, std::int32_t> leaders;
};

struct ClusterDescription {
  std::string cluster_id;           ///< empty when the brokers give none
  std::int32_t broker = kNoBroker;  ///< one that has just answered
  std::map<std::string, TopicDescription, std::less<>> topics;
};

/// Lists the cluster, then asks for `topics` by name. A topic is missing only if both say so:
/// without the ACL to see it, a topic is left out of the listing in silence, and of the two only
/// the question by name says "not authorised". Neither question can create a topic. An error means
/// that the cluster did not answer.
Result<ClusterDescription> Describe(Client& client, const std::set<std::string>& topics,
                                    const Deadline& deadline);

}  // namespace tidegauge
