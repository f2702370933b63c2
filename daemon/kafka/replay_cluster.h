// A recording that answers in a cluster's place.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/ports.h"
#include "core/recorded_cluster.h"
#include "core/result.h"

namespace tidegauge {

/// Gives the same answers whenever it is asked, and is never late.
class ReplayCluster : public Cluster {
 public:
  explicit ReplayCluster(RecordedCluster recording) : recording_(std::move(recording)) {}

  Result<ClusterAnswer> Fetch(const std::set<std::string>& topics, Duration timeout) override;

  Result<std::map<std::string, TopicStamps, std::less<>>> Stamps(
      const std::set<std::string>& topics, Duration timeout) override;

 private:
  RecordedCluster recording_;
};

}  // namespace tidegauge
