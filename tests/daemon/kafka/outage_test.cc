// What a poll costs, and says, when brokers are down, slow or refuse.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/kafka/cluster.h"
#include "tests/daemon/kafka/mock_fixture.h"

namespace tidegauge {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class OutageTest : public MockFixture {
 protected:
  OutageTest() : MockFixture(3) {}

  /// Polls until the log ends of these partitions are known: each broker reconnects in its own
  /// time.
  TopicAnswer OrdersOnceKnown(const std::set<Partition>& wanted) {
    const Stopwatch watch;
    while (watch.Elapsed() < kPatience) {
      const auto answer = cluster->Fetch({"orders"}, seconds(1));
      if (!answer) continue;
      const TopicAnswer& orders = answer->topics.at("orders");
      const auto known = [&](Partition partition) {
        const auto found = orders.partitions.find(partition);
        return found != orders.partitions.end() && found->second.log_end.has_value();
      };
      if (std::ranges::all_of(wanted, known)) return orders;
    }
    ADD_FAILURE() << "still unknown after " << kPatience.count() << " ms";
    return {};
  }
};

TEST_F(OutageTest, dead_cluster_costs_one_deadline_and_is_found_again) {
  Create("orders", 2);
  Produce("orders", 1, 9);
  const std::string id = Fetch({"orders"}).topics.at("orders").topic_id;

  mock->SetDown(MockCluster::kAllBrokers);
  const Stopwatch watch;
  const auto down = cluster->Fetch({"orders"}, milliseconds(700));
  EXPECT_LT(watch.Elapsed(), milliseconds(700) + kSlack);
  ASSERT_FALSE(down);
  EXPECT_EQ(down.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(down.error().message, HasSubstr("kafka cluster main"));
  EXPECT_FALSE(cluster->Stamps({"orders"}, milliseconds(300)));

  mock->SetUp(MockCluster::kAllBrokers);
  const TopicAnswer back = OrdersOnceKnown({0, 1});
  EXPECT_EQ(back.topic_id, id);
  EXPECT_EQ(back.partitions.at(0).log_end, 0);
  EXPECT_EQ(back.partitions.at(1).log_end, 9);
}

TEST_F(OutageTest, says_why_it_cannot_connect) {
  mock->SetDown(MockCluster::kAllBrokers);
  const auto fresh =
      MakeKafkaCluster({.name = "main", .bootstrap_servers = mock->bootstrap_servers()});
  const auto down = (*fresh)->Fetch({"orders"}, seconds(1));
  ASSERT_FALSE(down);
  EXPECT_THAT(down.error().message, HasSubstr("127.0.0.1")) << "names the broker";
}

TEST_F(OutageTest, one_dead_broker_costs_its_own_partitions) {
  Create("orders", 3);
  for (Partition partition = 0; partition < 3; ++partition) {
    mock->SetLeader("orders", partition, partition + 1);
    Produce("orders", partition, 4);
  }
  ASSERT_EQ(Fetch({"orders"}).topics.at("orders").partitions.at(1).log_end, 4);
  mock->SetDown(2);
  const auto partitions = OrdersOnceKnown({0, 2}).partitions;
  EXPECT_EQ(partitions.at(0).log_end, 4) << partitions.at(0).error;
  EXPECT_EQ(partitions.at(1).log_end, std::nullopt);
  EXPECT_NE(partitions.at(1).error, "");
  EXPECT_EQ(partitions.at(2).log_end, 4) << partitions.at(2).error;
}

TEST_F(OutageTest, cluster_slower_than_the_deadline_is_an_error_in_time) {
  Create("orders", 1);
  Fetch({"orders"});
  mock->SetRoundTrip(MockCluster::kAllBrokers, seconds(5));
  const Stopwatch watch;
  EXPECT_FALSE(cluster->Fetch({"orders"}, milliseconds(500)));
  EXPECT_LT(watch.Elapsed(), milliseconds(500) + kSlack);
}

TEST_F(OutageTest, leader_slower_than_the_deadline_leaves_its_partitions_unknown) {
  Create("orders", 2);
  mock->SetLeader("orders", 0, 1);
  mock->SetLeader("orders", 1, 2);
  Produce("orders", 0, 3);
  Produce("orders", 1, 3);
  mock->DelayListOffsets(2, seconds(5), 10);
  const Stopwatch watch;
  const ClusterAnswer answer = Fetch({"orders"}, milliseconds(1500));
  EXPECT_LT(watch.Elapsed(), milliseconds(1500) + kSlack);
  const auto& partitions = answer.topics.at("orders").partitions;
  EXPECT_EQ(partitions.at(0).log_end, 3) << partitions.at(0).error;
  EXPECT_EQ(partitions.at(1).log_start, std::nullopt);
  EXPECT_EQ(partitions.at(1).log_end, std::nullopt);
  EXPECT_THAT(partitions.at(1).error, HasSubstr("broker 2"));
}

TEST_F(OutageTest, address_where_nobody_listens_is_an_error_in_time) {
  const auto fresh =
      MakeKafkaCluster({.name = "main", .bootstrap_servers = "127.0.0.1:1,no-such-host.invalid:1"});
  ASSERT_TRUE(fresh) << "being down is no reason not to start";
  const Stopwatch watch;
  EXPECT_FALSE((*fresh)->Fetch({"orders"}, milliseconds(500)));
  EXPECT_LT(watch.Elapsed(), milliseconds(500) + kSlack);
}

TEST_F(OutageTest, no_time_at_all_is_an_error) {
  EXPECT_FALSE(cluster->Fetch({"orders"}, Duration::zero()));
}

}  // namespace
}  // namespace tidegauge
