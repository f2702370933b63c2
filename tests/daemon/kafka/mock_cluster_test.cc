#include "daemon/kafka/mock_cluster.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(MockCluster, names_each_of_its_brokers) {
  const auto mock = MockCluster::Start(3);
  ASSERT_TRUE(mock) << mock.error().message;
  const std::string servers = (*mock)->bootstrap_servers();
  EXPECT_EQ(std::count(servers.begin(), servers.end(), ','), 2) << servers;
}

TEST(MockCluster, takes_a_topic_once) {
  const auto mock = MockCluster::Start(1);
  ASSERT_TRUE(mock) << mock.error().message;
  EXPECT_TRUE((*mock)->CreateTopic("orders", 2));
  EXPECT_FALSE((*mock)->CreateTopic("orders", 2));
}

TEST(MockCluster, refuses_records_for_a_partition_that_is_not_there) {
  const auto mock = MockCluster::Start(1);
  ASSERT_TRUE((*mock)->CreateTopic("orders", 1));
  EXPECT_TRUE((*mock)->Produce("orders", 0, 3));
  EXPECT_FALSE((*mock)->Produce("orders", 7, 1));
}

TEST(MockCluster, needs_a_broker) { EXPECT_FALSE(MockCluster::Start(-1)); }

}  // namespace
}  // namespace tidegauge
