#include "daemon/kafka/replay_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using std::chrono::seconds;

Time At(std::int64_t ms) { return Time(Duration(ms)); }

RecordedCluster Recording() {
  RecordedTopic orders{.id = "6sdon+hdTpGDPuUqycli4g",
                       .timestamp_type = TimestampType::kLogAppendTime};
  // Event times need not ascend: the second record is the newest.
  orders.partitions[0] = {
      .log_start = 5, .log_end = 300, .by_time = {{At(100), 5}, {At(900), 17}, {At(500), 20}}};
  orders.partitions[1] = {.log_start = 0, .log_end = 0};
  RecordedTopic clicks;
  clicks.partitions[0] = {.log_start = 7};
  return {.cluster_id = "lab-1", .topics = {{"orders", orders}, {"clicks", clicks}}};
}

TEST(ReplayCluster, answers_what_was_recorded) {
  ReplayCluster cluster(Recording());
  const auto answer = cluster.Fetch({"orders"}, seconds(1));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->cluster_id, "lab-1");
  const TopicAnswer& orders = answer->topics.at("orders");
  EXPECT_EQ(orders.presence, TopicPresence::kPresent);
  EXPECT_EQ(orders.topic_id, "6sdon+hdTpGDPuUqycli4g");
  ASSERT_EQ(orders.partitions.size(), 2u);
  EXPECT_EQ(orders.partitions.at(0).log_start, 5);
  EXPECT_EQ(orders.partitions.at(0).log_end, 300);
  EXPECT_EQ(orders.partitions.at(0).error, "");
}

TEST(ReplayCluster, answers_only_what_is_asked) {
  ReplayCluster cluster(Recording());
  EXPECT_TRUE(cluster.Fetch({}, seconds(1))->topics.empty());
  EXPECT_TRUE(cluster.Stamps({}, seconds(1))->empty());
}

TEST(ReplayCluster, topic_outside_the_recording_is_missing) {
  ReplayCluster cluster(Recording());
  const auto answer = cluster.Fetch({"gone"}, seconds(1));
  EXPECT_EQ(answer->topics.at("gone").presence, TopicPresence::kMissing);
  EXPECT_FALSE(cluster.Stamps({"gone"}, seconds(1))->contains("gone"));
}

TEST(ReplayCluster, what_was_not_recorded_is_unknown) {
  ReplayCluster cluster(Recording());
  const auto answer = cluster.Fetch({"clicks"}, seconds(1));
  const TopicAnswer& clicks = answer->topics.at("clicks");
  EXPECT_EQ(clicks.topic_id, "");
  EXPECT_EQ(clicks.partitions.at(0).log_start, 7);
  EXPECT_EQ(clicks.partitions.at(0).log_end, std::nullopt);
  EXPECT_NE(clicks.partitions.at(0).error, "");
}

TEST(ReplayCluster, stamps_are_of_the_first_record_and_the_largest_time) {
  ReplayCluster cluster(Recording());
  const auto stamps = cluster.Stamps({"orders", "clicks"}, seconds(1));
  ASSERT_TRUE(stamps);
  const TopicStamps& orders = stamps->at("orders");
  EXPECT_EQ(orders.type, TimestampType::kLogAppendTime);
  ASSERT_EQ(orders.first.size(), 1u) << "the empty partition has none";
  EXPECT_EQ(orders.first.at(0).offset, 5);
  EXPECT_EQ(orders.first.at(0).timestamp, At(100));
  EXPECT_EQ(orders.newest.at(0).timestamp, At(900));
  EXPECT_EQ(stamps->at("clicks").type, TimestampType::kUnknown);
  EXPECT_TRUE(stamps->at("clicks").first.empty());
}

}  // namespace
}  // namespace tidegauge
