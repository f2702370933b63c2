#include "daemon/kafka/mock_cluster.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

namespace tidegauge {
namespace {

constexpr std::int16_t kListOffsetsKey = 2;  // its number in the Kafka protocol
constexpr int kFlushMs = 10'000;

rd_kafka_resp_err_t CodeOf(MockError error) {
  switch (error) {
    case MockError::kNotLeader:
      return RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION;
    case MockError::kLeaderNotAvailable:
      return RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;
    case MockError::kUnknownTopic:
      return RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
    case MockError::kTopicDenied:
      return RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
    case MockError::kUnknownServerError:
      return RD_KAFKA_RESP_ERR_UNKNOWN;
  }
  std::unreachable();
}

Error Unavailable(std::string_view why) {
  return {ErrorKind::kUnavailable, fmt::format("mock Kafka cluster: {}", why)};
}

}  // namespace

Result<std::unique_ptr<MockCluster>> MockCluster::Start(int brokers) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set_log_cb(conf, nullptr);
  std::array<char, 256> why{};
  if (rd_kafka_conf_set(conf, "test.mock.num.brokers", std::to_string(brokers).c_str(), why.data(),
                        why.size()) == RD_KAFKA_CONF_OK) {
    if (ClientHandle producer(rd_kafka_new(RD_KAFKA_PRODUCER, conf, why.data(), why.size()));
        producer != nullptr) {
      return std::unique_ptr<MockCluster>(new MockCluster(std::move(producer)));
    }
  }
  rd_kafka_conf_destroy(conf);
  return std::unexpected(Unavailable(why.data()));
}

MockCluster::MockCluster(ClientHandle producer)
    : producer_(std::move(producer)), mock_(rd_kafka_handle_mock_cluster(producer_.get())) {}

std::string MockCluster::bootstrap_servers() const {
  return rd_kafka_mock_cluster_bootstraps(mock_);
}

Result<void> MockCluster::CreateTopic(const std::string& topic, int partitions) {
  const auto code = rd_kafka_mock_topic_create(mock_, topic.c_str(), partitions, 1);
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
  return Fail(ErrorKind::kInvalid, fmt::format("topic {}: {}", topic, rd_kafka_err2str(code)));
}

Result<void> MockCluster::Append(const std::string& topic, Partition partition) {
  char value = 'x';
  std::array<rd_kafka_vu_t, 4> record{};
  record[0] = {.vtype = RD_KAFKA_VTYPE_TOPIC, .u = {.cstr = topic.c_str()}};
  record[1] = {.vtype = RD_KAFKA_VTYPE_PARTITION, .u = {.i32 = partition}};
  record[2] = {.vtype = RD_KAFKA_VTYPE_VALUE, .u = {.mem = {.ptr = &value, .size = sizeof value}}};
  record[3] = {.vtype = RD_KAFKA_VTYPE_MSGFLAGS, .u = {.i = RD_KAFKA_MSG_F_COPY}};
  rd_kafka_error_t* error = rd_kafka_produceva(producer_.get(), record.data(), record.size());
  if (error == nullptr) return {};
  Error failure = Unavailable(rd_kafka_error_string(error));
  rd_kafka_error_destroy(error);
  return std::unexpected(std::move(failure));
}

Result<void> MockCluster::Produce(const std::string& topic, Partition partition, int count) {
  for (int i = 0; i < count; ++i) {
    if (auto appended = Append(topic, partition); !appended) return appended;
  }
  const auto code = rd_kafka_flush(producer_.get(), kFlushMs);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
    return std::unexpected(Unavailable(rd_kafka_err2str(code)));
  return {};
}

void MockCluster::FailListOffsets(const std::vector<MockError>& errors) {
  std::vector<rd_kafka_resp_err_t> codes;
  codes.reserve(errors.size());
  for (const MockError error : errors) codes.push_back(CodeOf(error));
  rd_kafka_mock_push_request_errors_array(mock_, kListOffsetsKey, codes.size(), codes.data());
}

void MockCluster::DelayListOffsets(std::int32_t broker, Duration delay, int count) {
  for (int i = 0; i < count; ++i) {
    rd_kafka_mock_broker_push_request_error_rtts(mock_, broker, kListOffsetsKey, 1,
                                                 RD_KAFKA_RESP_ERR_NO_ERROR,
                                                 static_cast<int>(delay.count()));
  }
}

void MockCluster::FailTopic(const std::string& topic, MockError error) {
  rd_kafka_mock_topic_set_error(mock_, topic.c_str(), CodeOf(error));
}

void MockCluster::SetDown(std::int32_t broker) { rd_kafka_mock_broker_set_down(mock_, broker); }

void MockCluster::SetUp(std::int32_t broker) { rd_kafka_mock_broker_set_up(mock_, broker); }

void MockCluster::SetRoundTrip(std::int32_t broker, Duration delay) {
  rd_kafka_mock_broker_set_rtt(mock_, broker, static_cast<int>(delay.count()));
}

void MockCluster::SetLeader(const std::string& topic, Partition partition, std::int32_t broker) {
  rd_kafka_mock_partition_set_leader(mock_, topic.c_str(), partition, broker);
}

void MockCluster::RemoveLeader(const std::string& topic, Partition partition) {
  rd_kafka_mock_partition_set_leader(mock_, topic.c_str(), partition, -1);
}

}  // namespace tidegauge
