// A Kafka cluster in memory: topics that are created, filled, trimmed and deleted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/model.h"
#include "core/ports.h"
#include "core/recorded_cluster.h"
#include "core/result.h"

namespace tidegauge::testing {

/// Stamps what is produced with the moment that `clock` points at. `clock` must remain live.
class FakeKafka {
 public:
  explicit FakeKafka(const Time& clock, std::string cluster_id = "lab-1");
  /// The same cluster, under another clock.
  FakeKafka(const FakeKafka& other, const Time& clock);

  // ---- what happens to topics. Deleting and creating again makes another topic of the same name.

  void Create(const std::string& topic, const std::string& id, Partition partitions = 1);
  void Delete(const std::string& topic);
  /// `records` more records. `ahead`: by how much the producer's clock is wrong.
  void Produce(const std::string& topic, Partition partition, std::int64_t records,
               Duration ahead = {});
  void AddPartitions(const std::string& topic, Partition partitions);
  /// Retention, or DeleteRecords: the log starts at `offset`.
  void Expire(const std::string& topic, Partition partition, Offset offset);
  /// Unclean election: the log ends at `offset`.
  void Truncate(const std::string& topic, Partition partition, Offset offset);
  /// Create with the records at once: log start and log end, as the cases state them.
  void Set(const std::string& topic, const std::string& id,
           const std::map<Partition, std::pair<Offset, Offset>>& logs);
  void SetTimestampType(const std::string& topic, TimestampType type);
  void SetClusterId(std::string cluster_id) { cluster_.cluster_id = std::move(cluster_id); }
  void Replace(RecordedCluster cluster) { cluster_ = std::move(cluster); }
  const RecordedCluster& state() const { return cluster_; }

  // ---- how it answers

  /// Every question fails, until Up().
  void Down(Error error = {ErrorKind::kUnavailable, "no answer in 10 s"});
  void Up();
  /// Nothing can be known about `topic`, or about one partition of it.
  void Hide(const std::string& topic);
  void HidePartition(const std::string& topic, Partition partition);
  void HideStamps() { stamps_hidden_ = true; }
  void ShowAll();
  /// Changes the next answer only: one odd answer of a broker.
  using Change = std::function<void(ClusterAnswer&)>;
  void AnswerOddly(Change change) { odd_ = std::move(change); }

  Result<ClusterAnswer> Fetch(const std::set<std::string>& topics);
  std::map<std::string, TopicStamps, std::less<>> Stamps(const std::set<std::string>& topics) const;

 private:
  RecordedPartition& At(const std::string& topic, Partition partition);
  TopicAnswer Answer(const std::string& topic) const;

  const Time& clock_;
  RecordedCluster cluster_;
  std::optional<Error> down_;
  std::set<std::string> hidden_;
  std::set<std::pair<std::string, Partition>> hidden_partitions_;
  bool stamps_hidden_ = false;
  Change odd_;
};

}  // namespace tidegauge::testing
