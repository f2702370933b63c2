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
#include "daemon/deadline_pool.h"

namespace tidegauge {

/// Used by one thread; each call asks every cluster on a thread of its own, so that one that is
/// down costs no other more than its own timeout.
class Clusters {
 public:
  /// Reads the secrets that `properties_file` names, and makes a client a cluster. Nothing is asked
  /// yet. Errors: kInvalid (a property that is none), kNotFound and kDenied (a file with a secret).
  ///
  /// A cluster that is configured as in `before` keeps its client: it is then of both, which must
  /// be used by the same thread.
  static Result<Clusters> Make(const std::vector<KafkaConfig>& kafka,
                               const Clusters* before = nullptr);

  /// The client of a cluster that is configured just so; null: there is none.
  std::shared_ptr<Cluster> MemberOf(const KafkaConfig& config) const;

  Answers Ask(const Questions& topics);
  /// Only those that `topics` names: the others have answered in this poll, or cost their timeout.
  Answers AskAgain(const Questions& topics);
  StampAnswers AskStamps(const Questions& topics);

 private:
  struct Member {
    KafkaConfig config;
    std::shared_ptr<Cluster> cluster;
  };

  static Answers Ask(const std::vector<Member*>& members, const Questions& topics);

  std::vector<Member> members_;
};

/// What a replay file holds, read again at each question: what answers from it is what it says now.
/// A file that cannot be read in time is kUnavailable.
class ReplayFileCluster : public Cluster {
 public:
  /// `timeout`: of reading it.
  ReplayFileCluster(std::string file, Duration timeout)
      : file_(std::move(file)), pool_({.threads = 1, .deadline = timeout}), timeout_(timeout) {}

  Result<ClusterAnswer> Fetch(const std::set<std::string>& topics, Duration timeout) override;
  Result<std::map<std::string, TopicStamps, std::less<>>> Stamps(
      const std::set<std::string>& topics, Duration timeout) override;

 private:
  Result<RecordedCluster> Load();

  std::string file_;
  DeadlinePool pool_;
  Duration timeout_;
};

}  // namespace tidegauge
