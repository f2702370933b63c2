// A mock cluster with a client on it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "daemon/kafka/cluster.h"
#include "daemon/kafka/mock_cluster.h"

namespace tidegauge {

inline constexpr Duration kPatience = std::chrono::seconds(10);

/// How far past its deadline a call may come back on a loaded machine.
inline constexpr Duration kSlack = std::chrono::seconds(1);

class MockFixture : public ::testing::Test {
 protected:
  explicit MockFixture(int brokers = 1) {
    auto mock = MockCluster::Start(brokers);
    if (!mock) throw std::runtime_error(mock.error().message);
    mock_ = *std::move(mock);
    auto cluster =
        MakeKafkaCluster({.name = "main", .bootstrap_servers = mock_->bootstrap_servers()});
    if (!cluster) throw std::runtime_error(cluster.error().message);
    cluster_ = *std::move(cluster);
  }

  void Create(const std::string& topic, int partitions) {
    const auto created = mock_->CreateTopic(topic, partitions);
    ASSERT_TRUE(created) << created.error().message;
  }

  void Produce(const std::string& topic, Partition partition, int count) {
    const auto produced = mock_->Produce(topic, partition, count);
    ASSERT_TRUE(produced) << produced.error().message;
  }

  /// An answer; a test that expects none asks cluster_ itself.
  ClusterAnswer Fetch(const std::set<std::string>& topics, Duration timeout = kPatience) {
    auto answer = cluster_->Fetch(topics, timeout);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(ClusterAnswer{});
  }

  std::unique_ptr<MockCluster> mock_;
  std::unique_ptr<Cluster> cluster_;
};

class Stopwatch {
 public:
  Duration Elapsed() const {
    return std::chrono::floor<Duration>(std::chrono::steady_clock::now() - start_);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tidegauge
