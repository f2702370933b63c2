#include "config/consistency.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "config/address.h"
#include "config/check_alertmanager.h"
#include "config/check_queries.h"
#include "config/entry.h"
#include "config/kafka_properties.h"

namespace tidegauge {
namespace {

void CheckSource(const KafkaConfig& kafka, const Entry& entry, Mistakes& mistakes) {
  const bool live = !kafka.bootstrap_servers.empty();
  const bool replay = !kafka.replay_file.empty();
  if (live && replay) {
    mistakes.push_back(entry.At("replay_file",
                                "both bootstrap_servers and replay_file: a cluster is either live "
                                "or recorded"));
  } else if (!live && !replay && !entry.IsIn(mistakes, "bootstrap_servers") &&
             !entry.IsIn(mistakes, "replay_file")) {
    mistakes.push_back(entry.At("", "neither bootstrap_servers nor replay_file: set one of them"));
  }
  if (live) {
    if (auto valid = CheckBootstrapServers(kafka.bootstrap_servers); !valid) {
      mistakes.push_back(
          entry.At("bootstrap_servers", "'bootstrap_servers': " + valid.error().message));
    }
  }
}

void CheckProperties(const KafkaConfig& kafka, const Entry& entry, Mistakes& mistakes) {
  const auto check = [&](std::string_view field, const StringMap& properties) {
    for (const auto& [name, value] : properties) {
      if (auto objection = PropertyObjection(name)) {
        mistakes.push_back(entry.AtKey(field, name, *std::move(objection)));
      }
    }
  };
  check("properties", kafka.properties);
  check("properties_file", kafka.properties_file);
  for (const auto& [name, file] : kafka.properties_file) {
    if (file.empty()) {
      mistakes.push_back(
          entry.AtKey("properties_file", name, fmt::format("'{}' must name a file", name)));
    }
    if (kafka.properties.contains(name)) {
      mistakes.push_back(
          entry.AtKey("properties_file", name, fmt::format("'{}' is under properties too", name)));
    }
  }
}

void CheckClusters(const Config& config, const YamlNode& root, Mistakes& mistakes) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < config.kafka.size(); ++i) {
    const KafkaConfig& kafka = config.kafka[i];
    const Entry entry(root, "kafka", i);
    if (!entry.IsMapping()) continue;
    if (!kafka.name.empty() && !seen.emplace(kafka.name, i).second) {
      mistakes.push_back(
          entry.At("name", fmt::format("a second cluster with the name '{}'", kafka.name)));
    }
    CheckSource(kafka, entry, mistakes);
    CheckProperties(kafka, entry, mistakes);
  }
}

}  // namespace

void CheckConsistency(Config& config, const YamlNode& root, Mistakes& mistakes) {
  CheckClusters(config, root, mistakes);
  CheckQueries(config, root, mistakes);
  CheckAlertmanager(config.alertmanager, root, mistakes);
  if (config.web.listen_address.empty()) return;
  if (auto valid = CheckListenAddress(config.web.listen_address); !valid) {
    const YamlNode& node = *root.Find("web")->Find("listen_address");
    mistakes.push_back({node.line, node.column, "'listen_address': " + valid.error().message});
  }
}

}  // namespace tidegauge
