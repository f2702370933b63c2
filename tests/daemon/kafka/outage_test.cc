// What a poll costs, and says, when brokers are down, slow or refuse.
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

  /// Polls until an answer comes; the caller looks at what it says.
  ClusterAnswer FetchOnceBack(const std::set<std::string>& topics) {
    const Stopwatch watch;
    while (watch.Elapsed() < kPatience) {
      if (auto answer = cluster_->Fetch(topics, seconds(1))) return *std::move(answer);
    }
    ADD_FAILURE() << "still down after " << kPatience.count() << " ms";
    return {};
  }
};

TEST_F(OutageTest, dead_cluster_costs_one_deadline_and_is_found_again) {
  Create("orders", 2);
  Produce("orders", 1, 9);
  const std::string id = Fetch({"orders"}).topics.at("orders").topic_id;

  mock_->SetDown(MockCluster::kAllBrokers);
  const Stopwatch watch;
  const auto down = cluster_->Fetch({"orders"}, milliseconds(700));
  EXPECT_LT(watch.Elapsed(), milliseconds(700) + kSlack);
  ASSERT_FALSE(down);
  EXPECT_EQ(down.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(down.error().message, HasSubstr("kafka cluster main"));
  EXPECT_FALSE(cluster_->Stamps({"orders"}, milliseconds(300)));

  mock_->SetUp(MockCluster::kAllBrokers);
  const ClusterAnswer back = FetchOnceBack({"orders"});
  EXPECT_EQ(back.topics.at("orders").topic_id, id);
  EXPECT_EQ(back.topics.at("orders").partitions.at(1).log_end, 9);
}

TEST_F(OutageTest, says_why_it_cannot_connect) {
  mock_->SetDown(MockCluster::kAllBrokers);
  const auto cluster =
      MakeKafkaCluster({.name = "main", .bootstrap_servers = mock_->bootstrap_servers()});
  const auto down = (*cluster)->Fetch({"orders"}, seconds(1));
  ASSERT_FALSE(down);
  EXPECT_THAT(down.error().message, HasSubstr("127.0.0.1")) << "names the broker";
}

TEST_F(OutageTest, one_dead_broker_costs_its_own_partitions) {
  Create("orders", 3);
  for (Partition partition = 0; partition < 3; ++partition) {
    mock_->SetLeader("orders", partition, partition + 1);
    Produce("orders", partition, 4);
  }
  ASSERT_EQ(Fetch({"orders"}).topics.at("orders").partitions.at(1).log_end, 4);
  mock_->SetDown(2);
  const Stopwatch watch;
  const ClusterAnswer answer = FetchOnceBack({"orders"});
  EXPECT_LT(watch.Elapsed(), seconds(4) + kSlack);
  const auto& partitions = answer.topics.at("orders").partitions;
  EXPECT_EQ(partitions.at(0).log_end, 4) << partitions.at(0).error;
  EXPECT_EQ(partitions.at(1).log_end, std::nullopt);
  EXPECT_NE(partitions.at(1).error, "");
  EXPECT_EQ(partitions.at(2).log_end, 4) << partitions.at(2).error;
}

TEST_F(OutageTest, cluster_slower_than_the_deadline_is_an_error_in_time) {
  Create("orders", 1);
  Fetch({"orders"});
  mock_->SetRoundTrip(MockCluster::kAllBrokers, seconds(5));
  const Stopwatch watch;
  EXPECT_FALSE(cluster_->Fetch({"orders"}, milliseconds(500)));
  EXPECT_LT(watch.Elapsed(), milliseconds(500) + kSlack);
}

TEST_F(OutageTest, leader_slower_than_the_deadline_leaves_its_partitions_unknown) {
  Create("orders", 2);
  mock_->SetLeader("orders", 0, 1);
  mock_->SetLeader("orders", 1, 2);
  Produce("orders", 0, 3);
  Produce("orders", 1, 3);
  mock_->DelayListOffsets(2, seconds(5), 10);
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
  const auto cluster =
      MakeKafkaCluster({.name = "main", .bootstrap_servers = "127.0.0.1:1,no-such-host.invalid:1"});
  ASSERT_TRUE(cluster) << "being down is no reason not to start";
  const Stopwatch watch;
  EXPECT_FALSE((*cluster)->Fetch({"orders"}, milliseconds(500)));
  EXPECT_LT(watch.Elapsed(), milliseconds(500) + kSlack);
}

TEST_F(OutageTest, no_time_at_all_is_an_error) {
  EXPECT_FALSE(cluster_->Fetch({"orders"}, Duration::zero()));
}

}  // namespace
}  // namespace tidegauge
