// How the records at both ends of a topic are stamped.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/ports.h"
#include "core/result.h"
#include "daemon/kafka/client.h"
#include "daemon/kafka/deadline.h"

namespace tidegauge {

/// As Cluster::Stamps. The timestamp type needs DESCRIBE_CONFIGS on the topic; without it,
/// kUnknown.
Result<std::map<std::string, TopicStamps, std::less<>>> AskStamps(
    Client& client, const std::set<std::string>& topics, const Deadline& deadline);

}  // namespace tidegauge
