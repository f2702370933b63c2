// A Kafka cluster that lives: producers write by day and night, retention takes, transactions hold
// the last stable offset back.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/model.h"
#include "tests/support/fake_kafka.h"
#include "tests/week/dice.h"

namespace tidegauge::testing {

/// How a topic is used.
struct TopicPlan {
  Partition partitions = 1;
  double per_minute = 60;   ///< records a partition, at the busiest hour
  double at_night = 0.2;    ///< of that, at the quietest
  bool on_weekends = true;  ///< or not one record
  Duration retention = std::chrono::hours(72);
  Duration segment = std::chrono::minutes(30);  ///< the log start moves in steps of that
  /// Each lot is a transaction that takes a while, and ends with a marker, which takes an offset.
  bool transactional = false;
  /// Old records go from the middle of the log; log start and log end stay (retention is none).
  bool compacted = false;
};

/// How often producers write.
inline constexpr Duration kLot = std::chrono::seconds(20);

class SimulatedKafka {
 public:
  /// `clock` must remain live.
  SimulatedKafka(const Time& clock, Dice dice) : broker(clock), dice_(dice) {}
  SimulatedKafka(const SimulatedKafka& other, const Time& clock)
      : broker(other.broker, clock),
        down(other.down),
        dice_(other.dice_),
        plans_(other.plans_),
        open_(other.open_),
        next_id_(other.next_id_) {}

  /// The topic is there from now on, empty. One of the same name is another one.
  void Create(const std::string& topic, const TopicPlan& plan);
  void Delete(const std::string& topic);
  /// Producers stop, or go on.
  void SetRate(const std::string& topic, double per_minute);
  void AddPartitions(const std::string& topic, Partition partitions);

  /// Each partition gets its lot for the time since the last one; retention runs.
  void Live(Time now);

  bool Has(const std::string& topic) const { return broker.state().topics.contains(topic); }
  const std::map<Partition, RecordedPartition>& Partitions(const std::string& topic) const;
  /// As ListOffsets says to a consumer: the high watermark, or the last stable offset.
  Offset Latest(const std::string& topic, Partition partition, bool read_committed) const;
  Offset Earliest(const std::string& topic, Partition partition) const;

  FakeKafka broker;
  bool down = false;  ///< for Spark; `broker` has it for the daemon

 private:
  void Produce(const std::string& topic, const TopicPlan& plan, Partition partition, Time now);
  void Retain(const std::string& topic, const TopicPlan& plan, Time now);

  Dice dice_;
  std::map<std::string, TopicPlan> plans_;
  /// Where the open transaction of a partition began, and when it ends.
  std::map<std::pair<std::string, Partition>, std::pair<Offset, Time>> open_;
  int next_id_ = 0;
};

}  // namespace tidegauge::testing
