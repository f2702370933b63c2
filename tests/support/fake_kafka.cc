#include "tests/support/fake_kafka.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tidegauge::testing {
namespace {

/// The stamp of the record at `offset`: that of the lot it was produced in.
std::optional<Time> StampAt(const RecordedPartition& partition, Offset offset) {
  std::optional<Time> stamp;
  for (const auto& [time, first] : partition.by_time) {
    if (first <= offset) stamp = time;
  }
  return stamp;
}

TopicStamps StampsOf(const RecordedTopic& topic) {
  TopicStamps stamps{.type = topic.timestamp_type};
  for (const auto& [number, partition] : topic.partitions) {
    if (partition.log_start == partition.log_end) continue;
    const auto first = StampAt(partition, *partition.log_start);
    if (!first) continue;
    stamps.first[number] = {*partition.log_start, *first};
    StampedOffset newest{*partition.log_start, *first};
    for (const auto& [time, offset] : partition.by_time) {
      if (offset >= *partition.log_start && time > newest.timestamp) newest = {offset, time};
    }
    stamps.newest[number] = newest;
  }
  return stamps;
}

}  // namespace

FakeKafka::FakeKafka(const Time& clock, std::string cluster_id) : clock_(clock) {
  cluster_.cluster_id = std::move(cluster_id);
}

FakeKafka::FakeKafka(const FakeKafka& other, const Time& clock)
    : clock_(clock),
      cluster_(other.cluster_),
      down_(other.down_),
      hidden_(other.hidden_),
      hidden_partitions_(other.hidden_partitions_),
      stamps_hidden_(other.stamps_hidden_),
      odd_(other.odd_) {}

void FakeKafka::Create(const std::string& topic, const std::string& id, Partition partitions) {
  cluster_.topics[topic] = {.id = id, .timestamp_type = TimestampType::kCreateTime};
  AddPartitions(topic, partitions);
}

void FakeKafka::Delete(const std::string& topic) { cluster_.topics.erase(topic); }

void FakeKafka::Produce(const std::string& topic, Partition partition, std::int64_t records,
                        Duration ahead) {
  RecordedPartition& log = At(topic, partition);
  if (records > 0) log.by_time.emplace_back(clock_ + ahead, *log.log_end);
  *log.log_end += records;
}

void FakeKafka::AddPartitions(const std::string& topic, Partition partitions) {
  auto& logs = cluster_.topics.at(topic).partitions;
  const auto have = static_cast<Partition>(logs.size());
  for (Partition i = have; i < have + partitions; ++i) logs[i] = {.log_start = 0, .log_end = 0};
}

void FakeKafka::Expire(const std::string& topic, Partition partition, Offset offset) {
  RecordedPartition& log = At(topic, partition);
  log.log_start = offset;
  log.log_end = std::max(*log.log_end, offset);
  // The lot that the first record belongs to stays.
  const auto kept =
      std::ranges::upper_bound(log.by_time, offset, {}, [](const auto& lot) { return lot.second; });
  if (kept != log.by_time.begin()) log.by_time.erase(log.by_time.begin(), std::prev(kept));
}

void FakeKafka::Truncate(const std::string& topic, Partition partition, Offset offset) {
  At(topic, partition).log_end = offset;
}

void FakeKafka::Set(const std::string& topic, const std::string& id,
                    const std::map<Partition, std::pair<Offset, Offset>>& logs) {
  cluster_.topics[topic] = {.id = id, .timestamp_type = TimestampType::kCreateTime};
  for (const auto& [partition, log] : logs) {
    RecordedPartition& made = cluster_.topics[topic].partitions[partition];
    made = {.log_start = log.first, .log_end = log.second};
    if (log.second > 0) made.by_time.emplace_back(clock_, 0);
  }
}

void FakeKafka::SetTimestampType(const std::string& topic, TimestampType type) {
  cluster_.topics.at(topic).timestamp_type = type;
}

void FakeKafka::Down(Error error) { down_ = std::move(error); }
void FakeKafka::Up() { down_.reset(); }
void FakeKafka::Hide(const std::string& topic) { hidden_.insert(topic); }
void FakeKafka::HidePartition(const std::string& topic, Partition partition) {
  hidden_partitions_.emplace(topic, partition);
}

void FakeKafka::ShowAll() {
  hidden_.clear();
  hidden_partitions_.clear();
  stamps_hidden_ = false;
}

Result<ClusterAnswer> FakeKafka::Fetch(const std::set<std::string>& topics) {
  if (down_) return std::unexpected(*down_);
  ClusterAnswer answer{.cluster_id = cluster_.cluster_id};
  for (const std::string& topic : topics) answer.topics[topic] = Answer(topic);
  if (Change odd = std::exchange(odd_, nullptr)) odd(answer);
  return answer;
}

TopicAnswer FakeKafka::Answer(const std::string& topic) const {
  if (hidden_.contains(topic)) return {.error = "not authorised"};
  const auto found = cluster_.topics.find(topic);
  if (found == cluster_.topics.end()) return {.presence = TopicPresence::kMissing};
  TopicAnswer answer{.presence = TopicPresence::kPresent, .topic_id = found->second.id};
  for (const auto& [partition, log] : found->second.partitions) {
    answer.partitions[partition] = hidden_partitions_.contains({topic, partition})
                                       ? PartitionWatermarks{.error = "leader not available"}
                                       : PartitionWatermarks{log.log_start, log.log_end, {}};
  }
  return answer;
}

std::map<std::string, TopicStamps, std::less<>> FakeKafka::Stamps(
    const std::set<std::string>& topics) const {
  std::map<std::string, TopicStamps, std::less<>> stamps;
  if (down_ || stamps_hidden_) return stamps;
  for (const std::string& topic : topics) {
    const auto found = cluster_.topics.find(topic);
    if (found != cluster_.topics.end()) stamps[topic] = StampsOf(found->second);
  }
  return stamps;
}

RecordedPartition& FakeKafka::At(const std::string& topic, Partition partition) {
  return cluster_.topics.at(topic).partitions.at(partition);
}

}  // namespace tidegauge::testing
