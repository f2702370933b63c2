// How to reach one Kafka cluster.
#pragma once

#include <map>
#include <string>

namespace tidegauge {

struct KafkaClientSettings {
  std::string name;  ///< the cluster's name in the configuration; opens every error message
  std::string bootstrap_servers;  ///< host:port, comma separated
  /// librdkafka's own properties (its CONFIGURATION.md), secrets included.
  std::map<std::string, std::string> properties;

  friend bool operator==(const KafkaClientSettings&, const KafkaClientSettings&) = default;
};

}  // namespace tidegauge
