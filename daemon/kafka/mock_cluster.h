// A Kafka cluster inside this process: librdkafka's own mock, for tests and for `tidegauge demo`.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/result.h"
#include "daemon/kafka/handles.h"

struct rd_kafka_mock_cluster_s;

namespace tidegauge {

/// What a broker of the mock can be made to answer instead of the truth.
enum class MockError {
  kNotLeader,
  kLeaderNotAvailable,
  kUnknownTopic,
  kTopicDenied,
  kUnknownServerError,
};

/// Brokers 1 to N on ports of loopback that it chooses. It answers metadata, DescribeTopics with
/// ids, and ListOffsets for log start and log end; for timestamps it always answers "none",
/// configurations it does not know, and no topic can be deleted. Used by one thread.
class MockCluster {
 public:
  static constexpr std::int32_t kAllBrokers = -1;

  /// Errors: kUnavailable.
  static Result<std::unique_ptr<MockCluster>> Start(int brokers);

  std::string bootstrap_servers() const;

  /// Errors: kInvalid, with the library's reason.
  Result<void> CreateTopic(const std::string& topic, int partitions);

  /// Appends `count` small records. The topic must be there. Errors: kUnavailable.
  Result<void> Produce(const std::string& topic, Partition partition, int count);

  /// The next requests of that kind, to whichever broker, are answered with these, one each.
  void FailListOffsets(const std::vector<MockError>& errors);

  /// The next `count` requests of that kind to `broker` are answered late.
  void DelayListOffsets(std::int32_t broker, Duration delay, int count);

  /// What metadata says of `topic` from now on.
  void FailTopic(const std::string& topic, MockError error);

  /// Refuses connections, and closes those there are. Leaders do not move.
  void SetDown(std::int32_t broker);
  void SetUp(std::int32_t broker);

  /// Delays every answer.
  void SetRoundTrip(std::int32_t broker, Duration delay);

  void SetLeader(const std::string& topic, Partition partition, std::int32_t broker);

  /// Leaves the partition without a leader.
  void RemoveLeader(const std::string& topic, Partition partition);

 private:
  explicit MockCluster(ClientHandle producer);

  Result<void> Append(const std::string& topic, Partition partition);

  ClientHandle producer_;  // owns the mock
  rd_kafka_mock_cluster_s* mock_;
};

}  // namespace tidegauge
