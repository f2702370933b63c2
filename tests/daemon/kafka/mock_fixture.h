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
    auto started = MockCluster::Start(brokers);
    if (!started) throw std::runtime_error(started.error().message);
    mock = *std::move(started);
    auto made = MakeKafkaCluster({.name = "main", .bootstrap_servers = mock->bootstrap_servers()});
    if (!made) throw std::runtime_error(made.error().message);
    cluster = *std::move(made);
  }

  void Create(const std::string& topic, int partitions) {
    const auto created = mock->CreateTopic(topic, partitions);
    ASSERT_TRUE(created) << created.error().message;
  }

  void Produce(const std::string& topic, Partition partition, int count) {
    const auto produced = mock->Produce(topic, partition, count);
    ASSERT_TRUE(produced) << produced.error().message;
  }

  /// An answer; a test that expects none asks cluster itself.
  ClusterAnswer Fetch(const std::set<std::string>& topics, Duration timeout = kPatience) {
    auto answer = cluster->Fetch(topics, timeout);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(ClusterAnswer{});
  }

  std::unique_ptr<MockCluster> mock;
  std::unique_ptr<Cluster> cluster;
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
