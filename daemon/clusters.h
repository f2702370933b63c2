// The Kafka clusters of a configuration, asked side by side.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "core/ports.h"
#include "core/recorded_cluster.h"
#include "core/result.h"
#include "core/world.h"

namespace tidegauge {

/// Used by one thread; each call asks every cluster on a thread of its own, so that one that is down
/// costs no other more than its own timeout.
class Clusters {
 public:
  /// Reads the secrets that `properties_file` names, and makes a client a cluster. Nothing is asked yet.
  /// Errors: kInvalid (a property that is none), kNotFound and kDenied (a file with a secret).
  static Result<Clusters> Make(const std::vector<KafkaConfig>& kafka);

  Answers Ask(const Questions& topics);
  StampAnswers AskStamps(const Questions& topics);

 private:
  struct Member {
    std::string name;
    Duration timeout{};
    std::unique_ptr<Cluster> cluster;
  };

  std::vector<Member> members_;
};

/// What a replay file holds, read again at each question: what answers from it is what it says now.
class ReplayFileCluster : public Cluster {
 public:
  explicit ReplayFileCluster(std::string file) : file_(std::move(file)) {}

  Result<ClusterAnswer> Fetch(const std::set<std::string>& topics, Duration timeout) override;
  Result<std::map<std::string, TopicStamps, std::less<>>> Stamps(
      const std::set<std::string>& topics, Duration timeout) override;

 private:
  Result<RecordedCluster> Load() const;

  std::string file_;
};

}  // namespace tidegauge
