// Recreating a topic on purpose without losing a record: what must hold before each next step.
//
//   drained    producers are stopped; every query has read the whole topic and committed it
//              -> now stop the queries, delete the topic, create it again
//   recreated  the new topic is there and empty
//              -> now start each query once with failOnDataLoss=false
//   rebased    every query has committed the new topic's log start
//              -> now start the producers, and take failOnDataLoss=false back
//
// The step in the middle is what Spark needs: KafkaMicroBatchStream takes an end below its start
// for data loss, fails, or with failOnDataLoss=false writes the new end into offsets/N and goes on
// from there. On an empty topic that end is the log start, so nothing is passed over.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model.h"
#include "core/report.h"

namespace tidegauge {

enum class GateStep { kDrained, kRecreated, kRebased };

enum class GateState {
  kReached,
  kWaiting,
  kUnknown,  ///< something could not be read: it may hold or not
  kRefused,  ///< waiting will not help: somebody has to act
};

struct GateAnswer {
  GateState state = GateState::kReached;
  std::vector<std::string> reasons;  ///< what keeps it from being reached, one a query or partition

  friend bool operator==(const GateAnswer&, const GateAnswer&) = default;
};

/// Judges one poll after the other. Pure: it sees reports and nothing else.
class Gate {
 public:
  /// `queries`: those that count; empty: all that read `topic` on `kafka_cluster`.
  Gate(GateStep step, std::string kafka_cluster, std::string topic,
       std::set<std::string, std::less<>> queries)
      : step_(step),
        kafka_cluster_(std::move(kafka_cluster)),
        topic_(std::move(topic)),
        queries_(std::move(queries)) {}

  /// What holds now. kDrained is reached when two polls in a row saw the same log ends: one alone
  /// cannot tell whether producers still write.
  GateAnswer Take(const Report& report);

 private:
  void TakeQuery(const Report& report, const QueryReport& query);
  void TakeTopic(const QueryReport& query, const TopicReport& topic);
  void TakePartition(const QueryReport& query, const PartitionReport& partition);
  void Drained(const std::string& query, const PartitionReport& partition);
  void Recreated(const std::string& query, const PartitionReport& partition);
  void Rebased(const std::string& query, const PartitionReport& partition);
  void CheckFindings(const Report& report, const std::string& query);
  void CheckCommitted(const QueryReport& query);
  void CheckStable();
  void Add(GateState state, std::string reason);
  bool Counts(const QueryReport& query) const;

  GateStep step_;
  std::string kafka_cluster_;
  std::string topic_;
  std::set<std::string, std::less<>> queries_;

  GateAnswer answer_;
  std::map<Partition, Offset> log_end_;
  std::map<Partition, Offset> log_end_before_;
};

}  // namespace tidegauge
