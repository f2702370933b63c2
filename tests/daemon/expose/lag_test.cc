#include "daemon/expose/lag.h"

#include <limits>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

PartitionReport Partition(std::optional<Offset> position, std::optional<Offset> log_start,
                          std::optional<Offset> log_end) {
  return {.position = position, .log_start = log_start, .log_end = log_end};
}

TEST(LagOfPartition, is_behind_the_log_end) {
  const Lag lag = LagOf(Partition(500, 0, 800));
  EXPECT_EQ(lag.behind, 300);
  EXPECT_EQ(lag.ahead, 0);
  EXPECT_EQ(lag.expired, 0);
}

TEST(LagOfPartition, never_goes_below_zero_and_shows_the_excess_apart) {
  const Lag lag = LagOf(Partition(900, 0, 800));
  EXPECT_EQ(lag.behind, 0);
  EXPECT_EQ(lag.ahead, 100);
}

TEST(LagOfPartition, counts_expired_only_past_the_position) {
  EXPECT_EQ(LagOf(Partition(10, 10, 20)).expired, 0);
  EXPECT_EQ(LagOf(Partition(10, 11, 20)).expired, 1);
}

TEST(LagOfPartition, is_unknown_without_an_answer) {
  const Lag lag = LagOf(Partition(500, std::nullopt, std::nullopt));
  EXPECT_EQ(lag.behind, std::nullopt);
  EXPECT_EQ(lag.ahead, std::nullopt);
  EXPECT_EQ(lag.expired, std::nullopt);
  EXPECT_EQ(lag.unknown_partitions, 1U);
}

TEST(LagOfPartition, is_not_unknown_where_the_checkpoint_has_no_position) {
  EXPECT_EQ(LagOf(Partition(std::nullopt, 0, 5)).unknown_partitions, 0U);
}

TEST(LagOfPartition, survives_offsets_that_no_broker_gives) {
  EXPECT_EQ(LagOf(Partition(std::numeric_limits<std::int64_t>::min(), 0, kMax)).behind, kMax);
}

TEST(LagOfTopic, sums_partitions_that_the_checkpoint_knows) {
  const TopicReport topic{
      .partitions = {Partition(10, 0, 15), Partition(30, 20, 25), Partition(std::nullopt, 0, 99)}};
  const Lag lag = LagOf(topic);
  EXPECT_EQ(lag.behind, 5);
  EXPECT_EQ(lag.ahead, 5);
  EXPECT_EQ(lag.expired, 0);
}

TEST(LagOfTopic, is_unknown_when_a_part_is) {
  const TopicReport topic{.partitions = {Partition(10, 0, 15), Partition(30, 20, std::nullopt)}};
  const Lag lag = LagOf(topic);
  EXPECT_EQ(lag.behind, std::nullopt);
  EXPECT_EQ(lag.expired, 0);
  EXPECT_EQ(lag.unknown_partitions, 1U);
}

TEST(LagOfTopic, is_unknown_without_any_position) {
  EXPECT_EQ(LagOf(TopicReport{.partitions = {Partition(std::nullopt, 0, 5)}}).behind, std::nullopt);
}

TEST(LagOfTopic, stops_at_the_largest_number) {
  const TopicReport topic{.partitions = {Partition(0, 0, kMax), Partition(0, 0, kMax)}};
  EXPECT_EQ(LagOf(topic).behind, kMax);
}

TEST(LagOfQuery, sums_topics_and_is_unknown_without_any) {
  const TopicReport topic{.partitions = {Partition(10, 0, 15)}};
  EXPECT_EQ(LagOf(QueryReport{.topics = {topic, topic}}).behind, 10);
  EXPECT_EQ(LagOf(QueryReport{}).behind, std::nullopt);
}

}  // namespace
}  // namespace tidegauge
