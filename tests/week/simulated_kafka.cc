#include "tests/week/simulated_kafka.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

namespace tidegauge::testing {
namespace {

using namespace std::chrono_literals;

bool IsWeekend(Time now) {
  const std::chrono::weekday day(std::chrono::floor<std::chrono::days>(now));
  return day == std::chrono::Saturday || day == std::chrono::Sunday;
}

/// From `at_night` at two in the morning to 1 at two in the afternoon.
double ShareOfDay(Time now, double at_night) {
  const auto midnight = std::chrono::floor<std::chrono::days>(now);
  const double hour = std::chrono::duration<double, std::ratio<3600>>(now - midnight).count();
  const double wave = (1 - std::cos((hour - 2) / 24 * 2 * std::numbers::pi)) / 2;
  return at_night + (1 - at_night) * wave;
}

}  // namespace

void SimulatedKafka::Create(const std::string& topic, const TopicPlan& plan) {
  plans_[topic] = plan;
  std::erase_if(open_, [&](const auto& open) { return open.first.first == topic; });
  broker.Create(topic, fmt::format("id-of-topic-{:010}", ++next_id_), plan.partitions);
}

void SimulatedKafka::Delete(const std::string& topic) {
  plans_.erase(topic);
  broker.Delete(topic);
}

void SimulatedKafka::SetRate(const std::string& topic, double per_minute) {
  plans_.at(topic).per_minute = per_minute;
}

void SimulatedKafka::AddPartitions(const std::string& topic, Partition partitions) {
  broker.AddPartitions(topic, partitions);
}

void SimulatedKafka::Live(Time now) {
  if (down) return;
  for (const auto& [topic, plan] : plans_) {
    for (const auto& [partition, log] : Partitions(topic)) Produce(topic, plan, partition, now);
    const bool segment_ends = now.time_since_epoch() % plan.segment < kLot;
    if (segment_ends && !plan.compacted) Retain(topic, plan, now);
  }
}

void SimulatedKafka::Produce(const std::string& topic, const TopicPlan& plan, Partition partition,
                             Time now) {
  const auto open = open_.find({topic, partition});
  if (open != open_.end()) {
    if (now < open->second.second) return;
    broker.Produce(topic, partition, 1);  // the marker
    open_.erase(open);
  }
  if (!plan.on_weekends && IsWeekend(now)) return;
  const double lots_a_minute = 60.0 / std::chrono::duration<double>(kLot).count();
  const double expected = plan.per_minute / lots_a_minute * ShareOfDay(now, plan.at_night);
  const auto records = static_cast<std::int64_t>(expected * 2 * dice_.Share() + dice_.Share());
  if (records == 0) return;
  if (plan.transactional) {
    open_[{topic, partition}] = {*Partitions(topic).at(partition).log_end,
                                 now + dice_.Between(10s, 100s)};
  }
  broker.Produce(topic, partition, records);
}

void SimulatedKafka::Retain(const std::string& topic, const TopicPlan& plan, Time now) {
  for (const auto& [partition, log] : Partitions(topic)) {
    const auto kept = std::ranges::lower_bound(log.by_time, now - plan.retention, {},
                                               [](const auto& lot) { return lot.first; });
    if (kept == log.by_time.begin()) continue;
    const Offset first = kept == log.by_time.end() ? *log.log_end : kept->second;
    broker.Expire(topic, partition, std::max(*log.log_start, first));
  }
}

const std::map<Partition, RecordedPartition>& SimulatedKafka::Partitions(
    const std::string& topic) const {
  return broker.state().topics.at(topic).partitions;
}

Offset SimulatedKafka::Latest(const std::string& topic, Partition partition,
                              bool read_committed) const {
  const auto open = open_.find({topic, partition});
  if (read_committed && open != open_.end()) return open->second.first;
  return *Partitions(topic).at(partition).log_end;
}

Offset SimulatedKafka::Earliest(const std::string& topic, Partition partition) const {
  return *Partitions(topic).at(partition).log_start;
}

}  // namespace tidegauge::testing
