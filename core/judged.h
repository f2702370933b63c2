// Which findings a poll was able to look for: those of whatever answered whole.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/detectors/detector.h"
#include "core/topics/comparison.h"
#include "core/world.h"

namespace tidegauge {

class Judged {
 public:
  Judged(const std::vector<DetectorPtr>& detectors, const Readings& readings,
         const std::vector<QueryView>& views);

  /// Whether this poll would have found a finding of `key`, had it still held. A query that is no
  /// longer there counts as judged, unless it may only be out of sight.
  bool Covers(const FindingKey& key) const;

 private:
  /// Whether enough is known of the checkpoint of `query` for `kind`.
  bool Sees(const std::string& kind, const std::string& query) const;
  bool CoversLog(const FindingKey& key) const;

  std::set<std::string, std::less<>> offline_kinds_;          ///< judged without Kafka
  std::map<std::string, tidegauge::Sees, std::less<>> sees_;  ///< by kind
  std::set<std::string, std::less<>> watched_;                ///< queries of this poll
  std::set<std::string> looked_at_;       ///< queries whose checkpoint is there, or surely not
  std::set<std::string> read_;            ///< queries whose checkpoint was read
  std::set<std::string> placed_;          ///< queries whose position is known
  std::set<std::string> measured_;        ///< queries that are known to be so far behind
  std::set<std::string> unscanned_;       ///< queries whose data files are not known yet
  std::set<std::string> known_clusters_;  ///< queries whose cluster gave its id
  /// Logs that were not read, by query and log.
  std::set<std::pair<std::string, std::string>> unread_logs_;
  std::set<std::string> undecided_;  ///< queries with a source that says nothing at present
  /// By query, topic and source: whether it answered whole.
  std::map<std::tuple<std::string, std::string, std::string>, bool> compared_;
  bool discovery_complete_ = true;
};

}  // namespace tidegauge
