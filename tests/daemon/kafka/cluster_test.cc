#include "daemon/kafka/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/kafka/mock_fixture.h"

namespace tidegauge {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ClusterTest : public MockFixture {
 protected:
  ClusterTest() : MockFixture(3) {}
};

TEST_F(ClusterTest, tells_ids_and_offsets_of_every_partition) {
  Create("orders", 4);
  Create("clicks", 250);  // more than one call to each broker
  Create("empty", 1);
  Produce("orders", 1, 7);
  Produce("orders", 3, 12);
  Produce("clicks", 0, 3);
  Produce("clicks", 249, 5);

  const ClusterAnswer answer = Fetch({"orders", "clicks", "empty"});
  EXPECT_THAT(answer.cluster_id, Not(IsEmpty()));
  ASSERT_EQ(answer.topics.size(), 3u);
  std::set<std::string> ids;
  const std::map<std::string, std::map<Partition, Offset>> ends = {
      {"orders", {{1, 7}, {3, 12}}}, {"clicks", {{0, 3}, {249, 5}}}, {"empty", {}}};
  for (const auto& [name, topic] : answer.topics) {
    EXPECT_EQ(topic.presence, TopicPresence::kPresent) << name << ": " << topic.error;
    ids.insert(topic.topic_id);
    EXPECT_EQ(topic.topic_id.size(), 22u) << "16 bytes in base64";
    for (const auto& [partition, watermarks] : topic.partitions) {
      const auto end = ends.at(name).find(partition);
      EXPECT_EQ(watermarks.log_start, 0) << name << '/' << partition << ": " << watermarks.error;
      EXPECT_EQ(watermarks.log_end, end == ends.at(name).end() ? 0 : end->second)
          << name << '/' << partition;
      EXPECT_EQ(watermarks.error, "");
    }
  }
  EXPECT_EQ(ids.size(), 3u) << "each topic has its own";
  EXPECT_EQ(answer.topics.at("orders").partitions.size(), 4u);
  EXPECT_EQ(answer.topics.at("clicks").partitions.size(), 250u);
}

TEST_F(ClusterTest, sees_what_was_written_since_the_last_poll) {
  Create("orders", 1);
  const std::string id = Fetch({"orders"}).topics.at("orders").topic_id;
  Produce("orders", 0, 4);
  const ClusterAnswer answer = Fetch({"orders"});
  EXPECT_EQ(answer.topics.at("orders").partitions.at(0).log_end, 4);
  EXPECT_EQ(answer.topics.at("orders").topic_id, id);
}

TEST_F(ClusterTest, without_topics_still_tells_which_cluster_answers) {
  const ClusterAnswer answer = Fetch({});
  EXPECT_THAT(answer.cluster_id, Not(IsEmpty()));
  EXPECT_TRUE(answer.topics.empty());
}

TEST_F(ClusterTest, missing_topic_is_missing_and_stays_so) {
  Create("orders", 1);
  for (int poll = 0; poll < 3; ++poll) {
    const ClusterAnswer answer = Fetch({"orders", "gone"});
    EXPECT_EQ(answer.topics.at("gone").presence, TopicPresence::kMissing);
    EXPECT_EQ(answer.topics.at("orders").partitions.at(0).log_end, 0);
  }
  ASSERT_TRUE(cluster->Stamps({"orders", "gone"}, kPatience));
  // The mock creates topics for whoever lets it: that it takes this one shows that nobody did.
  EXPECT_TRUE(mock->CreateTopic("gone", 1));
}

TEST_F(ClusterTest, on_an_empty_cluster_the_question_by_name_decides) {
  EXPECT_EQ(Fetch({"gone"}).topics.at("gone").presence, TopicPresence::kMissing);
}

TEST_F(ClusterTest, illegal_name_is_never_sent_and_harms_no_other) {
  Create("orders", 1);
  Produce("orders", 0, 2);
  const std::string too_long(300, 'x');
  const Stopwatch watch;
  const ClusterAnswer answer = Fetch({"orders", "no spaces", "", "..", too_long});
  EXPECT_LT(watch.Elapsed(), kPatience / 2);
  EXPECT_EQ(answer.topics.at("orders").partitions.at(0).log_end, 2);
  for (const auto& name : {std::string("no spaces"), std::string(), std::string(".."), too_long}) {
    EXPECT_EQ(answer.topics.at(name).presence, TopicPresence::kUnknown) << name;
    EXPECT_THAT(answer.topics.at(name).error, HasSubstr("legal")) << name;
  }
}

TEST_F(ClusterTest, unauthorised_topic_is_unknown_and_says_what_to_grant) {
  Create("secret", 1);
  Create("orders", 1);
  mock->FailTopic("secret", MockError::kTopicDenied);
  const ClusterAnswer answer = Fetch({"secret", "orders"});
  EXPECT_EQ(answer.topics.at("secret").presence, TopicPresence::kUnknown);
  EXPECT_THAT(answer.topics.at("secret").error, HasSubstr("Describe on topic secret is missing"));
  EXPECT_TRUE(answer.topics.at("secret").partitions.empty());
  EXPECT_EQ(answer.topics.at("orders").presence, TopicPresence::kPresent);
}

TEST_F(ClusterTest, topic_in_the_listing_but_unknown_by_name_is_not_missing) {
  Create("orders", 1);
  mock->FailTopic("orders", MockError::kUnknownTopic);
  const TopicAnswer orders = Fetch({"orders"}).topics.at("orders");
  EXPECT_EQ(orders.presence, TopicPresence::kUnknown);
  EXPECT_THAT(orders.error, Not(IsEmpty()));
}

TEST_F(ClusterTest, asks_again_when_a_leader_has_moved) {
  Create("orders", 1);
  Produce("orders", 0, 6);
  mock->SetLeader("orders", 0, 1);
  ASSERT_EQ(Fetch({"orders"}).topics.at("orders").partitions.at(0).log_end, 6);
  mock->FailListOffsets({MockError::kNotLeader, MockError::kNotLeader, MockError::kNotLeader});
  const ClusterAnswer injected = Fetch({"orders"});
  EXPECT_EQ(injected.topics.at("orders").partitions.at(0).log_start, 0);
  EXPECT_EQ(injected.topics.at("orders").partitions.at(0).log_end, 6);

  mock->SetLeader("orders", 0, 2);
  const PartitionWatermarks moved = Fetch({"orders"}).topics.at("orders").partitions.at(0);
  EXPECT_EQ(moved.log_start, 0) << moved.error;
  EXPECT_EQ(moved.log_end, 6) << moved.error;
}

TEST_F(ClusterTest, lasting_error_leaves_the_offsets_unknown) {
  Create("orders", 1);
  Produce("orders", 0, 6);
  mock->FailListOffsets(std::vector(100, MockError::kLeaderNotAvailable));
  const Stopwatch watch;
  const PartitionWatermarks watermarks =
      Fetch({"orders"}, std::chrono::seconds(2)).topics.at("orders").partitions.at(0);
  EXPECT_LT(watch.Elapsed(), std::chrono::seconds(2) + kSlack);
  EXPECT_EQ(watermarks.log_start, std::nullopt);
  EXPECT_EQ(watermarks.log_end, std::nullopt);
  EXPECT_THAT(watermarks.error, Not(IsEmpty()));
}

TEST_F(ClusterTest, error_that_does_not_pass_is_not_asked_again) {
  Create("orders", 1);
  mock->FailListOffsets({MockError::kUnknownServerError, MockError::kUnknownServerError});
  const Stopwatch watch;
  const PartitionWatermarks watermarks = Fetch({"orders"}).topics.at("orders").partitions.at(0);
  EXPECT_LT(watch.Elapsed(), kPatience / 2);
  EXPECT_EQ(watermarks.log_start, std::nullopt);
  EXPECT_EQ(watermarks.log_end, std::nullopt);
  EXPECT_THAT(watermarks.error, Not(IsEmpty()));
}

TEST_F(ClusterTest, partition_without_leader_is_unknown_and_delays_no_other) {
  Create("orders", 3);
  for (Partition partition = 0; partition < 3; ++partition) Produce("orders", partition, 2);
  mock->RemoveLeader("orders", 1);
  const Stopwatch watch;
  const TopicAnswer orders = Fetch({"orders"}).topics.at("orders");
  EXPECT_LT(watch.Elapsed(), kPatience / 2);
  EXPECT_EQ(orders.presence, TopicPresence::kPresent);
  EXPECT_EQ(orders.partitions.at(0).log_end, 2);
  EXPECT_EQ(orders.partitions.at(1).log_end, std::nullopt);
  EXPECT_THAT(orders.partitions.at(1).error, HasSubstr("no leader"));
  EXPECT_EQ(orders.partitions.at(2).log_end, 2);
}

TEST_F(ClusterTest, stamps_that_the_broker_does_not_know_are_absent) {
  Create("orders", 2);
  Produce("orders", 0, 2);
  const Stopwatch watch;
  const auto stamps = cluster->Stamps({"orders", "gone", "no spaces"}, kPatience);
  EXPECT_LT(watch.Elapsed(), kPatience / 2);
  ASSERT_TRUE(stamps) << stamps.error().message;
  ASSERT_EQ(stamps->size(), 1u);
  EXPECT_EQ(stamps->at("orders").type, TimestampType::kUnknown);
  EXPECT_TRUE(stamps->at("orders").first.empty()) << "the mock finds no record by timestamp";
  EXPECT_TRUE(stamps->at("orders").newest.empty());
}

}  // namespace
}  // namespace tidegauge
