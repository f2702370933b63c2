#include <algorithm>
#include <optional>

#include "tests/week/deeds.h"
#include "tests/week/faults.h"

namespace tidegauge::testing {
namespace {

using namespace std::chrono_literals;
using State = SimulatedQuery::State;

/// The topic that `query` reads first is deleted and created again. The log of each partition then
/// ends `beyond` past the position; or is empty.
void Recreate(Week& week, const std::string& query, const TopicPlan& plan,
              std::optional<Offset> beyond) {
  const auto& [topic, position] = *week.query(query).from(0).begin();
  const std::string name = topic;
  const PartitionOffsets before = position;
  week.kafka.Delete(name);
  week.kafka.Create(name, plan);
  if (!beyond) return;
  for (const auto& [partition, offset] : before) {
    if (partition < plan.partitions) {
      week.kafka.broker.Produce(name, partition, std::max<Offset>(1, offset + *beyond));
    }
  }
}

/// Producers have not found the topic yet.
constexpr TopicPlan Silent(Partition partitions) {
  return {.partitions = partitions, .per_minute = 0};
}

void StopAndRecreate(Week& week, const std::string& query, Partition partitions,
                     std::optional<Offset> beyond) {
  Stop(week, query);
  Recreate(week, query, Silent(partitions), beyond);
}

void ExpirePast(Week& week, const std::string& query, Offset records) {
  for (const auto& [topic, position] : week.query(query).from(0)) {
    for (const auto& [partition, offset] : position) {
      const Offset end = *week.kafka.Partitions(topic).at(partition).log_end;
      if (end < offset + records) week.kafka.broker.Produce(topic, partition, records);
      week.kafka.broker.Expire(topic, partition, offset + records);
    }
  }
}

const std::set<std::string> kRecreated{"topic_recreated"};

}  // namespace

const std::vector<Fault> kTopicFaults{
    {"RecreatedAbove", "clicks", kRecreated,
     [](Week& week) { StopAndRecreate(week, "clicks", 3, 500); }},
    {"RecreatedEqual", "office", kRecreated,
     [](Week& week) { StopAndRecreate(week, "office", 2, 0); }},
    {"RecreatedBelow", "joined", kRecreated,
     [](Week& week) { StopAndRecreate(week, "joined", 2, -500); }},
    {"RecreatedEmpty",
     "nightly",
     kRecreated,
     [](Week& week) { StopAndRecreate(week, "nightly", 3, std::nullopt); },
     State::kDown,
     {"partition_missing"}},
    {"RecreatedBelow_TheQueryRunsOn",
     "clicks",
     {"records_skipped"},
     [](Week& week) { Recreate(week, "clicks", Silent(3), -500); },
     State::kWaiting,
     kRecreated,
     {},
     2min},
    {"RecreatedAbove_TheQueryRunsOn",
     "office",
     {"records_skipped"},
     [](Week& week) { Recreate(week, "office", Silent(2), 700); },
     State::kWaiting,
     kRecreated,
     {},
     8min},
    {"RecreatedBelow_TheQueryFails",
     "office",
     kRecreated,
     [](Week& week) { Recreate(week, "office", Silent(2), -1); },
     State::kWaiting,
     {"batch_stuck"}},
    {"RecreatedWhileABatchRuns",
     "office",
     kRecreated,
     [](Week& week) {
       Stop(week, "office");
       Recreate(week, "office", Silent(2), 500);
     },
     State::kRunning,
     {"batch_stuck"}},
    {"Deleted",
     "nightly",
     {"topic_missing"},
     [](Week& week) { week.kafka.Delete("ledger"); },
     State::kDown},
    {"Deleted_TheQueryRuns",
     "clicks",
     {"topic_missing"},
     [](Week& week) { week.kafka.Delete("clicks"); }},
    {"RecreatedWithFewerPartitions",
     "clicks",
     {"partition_missing", "topic_recreated"},
     [](Week& week) { StopAndRecreate(week, "clicks", 2, 500); }},
    {"RecreatedWithFewerPartitions_TheQueryRunsOn",
     "clicks",
     {"partition_dropped"},
     [](Week& week) { Recreate(week, "clicks", Silent(2), 500); },
     State::kWaiting,
     {"partition_missing", "topic_recreated", "records_skipped"},
     {},
     2min},
    {"Expired",
     "office",
     {"records_expired"},
     [](Week& week) {
       Stop(week, "office");
       ExpirePast(week, "office", 10);
     }},
    {"ExpiredUnderABatch",
     "joined",
     {"records_expired"},
     [](Week& week) {
       Stop(week, "joined");
       ExpirePast(week, "joined", 1);
     },
     State::kRunning,
     {"batch_stuck"}},
    {"Truncated",
     "office",
     {"end_below_checkpoint"},
     [](Week& week) {
       Stop(week, "office");
       week.kafka.SetRate("office", 0);
       const Offset position = week.query("office").from(0).at("office").at(1);
       week.kafka.broker.Truncate("office", 1, position - 5);
     }},
    {"NewPartitionNotFromStart",
     "nightly",
     {"new_partition_not_from_start"},
     [](Week& week) {
       const auto partitions = static_cast<Partition>(week.kafka.Partitions("ledger").size());
       week.kafka.AddPartitions("ledger", 1);
       week.kafka.broker.Produce("ledger", partitions, 100);
       week.kafka.broker.Expire("ledger", partitions, 60);
     },
     State::kDown},
    {"ClusterChanged",
     "clicks",
     {"cluster_changed"},
     [](Week& week) { week.kafka.broker.SetClusterId("another"); },
     State::kWaiting,
     {"cluster_changed", "topic_recreated"},
     {"async", "hourly", "idle", "joined", "nightly", "office", "orders"}},
};

}  // namespace tidegauge::testing
