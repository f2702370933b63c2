#include "core/topics/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr Time kNow(1000h);

class Comparing : public ::testing::Test {
 protected:
  Comparing() {
    answer_.presence = TopicPresence::kPresent;
    ledger_.incarnations[{"lab", "t"}] = {{.topic_id = "A"}, {.topic_id = "B", .generation = 1}};
  }

  TopicComparison Compare() {
    return tidegauge::Compare(checkpoint_, position_, answer_, &binding_, "lab", ledger_, "orders",
                              kNow);
  }

  Checkpoint checkpoint_;
  SourceTopic position_{.topic = "t", .offsets = {{0, 500}, {2, 40}}, .batch = 7};
  TopicAnswer answer_;
  Binding binding_{.cluster_id = "lab", .topic_id = "B", .generation = 1};
  Ledger ledger_;
};

TEST_F(Comparing, ShowsThePartitionsOfBothSides_Ascending) {
  answer_.partitions[1] = {.log_start = 3, .log_end = 9};
  answer_.partitions[2] = {.log_start = 0, .log_end = 50};
  const TopicComparison topic = Compare();
  ASSERT_THAT(topic.partitions, SizeIs(3));
  EXPECT_EQ(topic.partitions[0].partition, 0);
  EXPECT_FALSE(topic.partitions[0].listed);
  EXPECT_EQ(topic.partitions[0].position, 500);
  EXPECT_EQ(topic.partitions[0].log_end, std::nullopt);
  EXPECT_TRUE(topic.partitions[1].listed);
  EXPECT_EQ(topic.partitions[1].position, std::nullopt);
  EXPECT_EQ(topic.partitions[1].log_start, 3);
  EXPECT_EQ(topic.partitions[2].position, 40);
  EXPECT_EQ(topic.partitions[2].log_end, 50);
  EXPECT_EQ(topic.batch, 7);
}

TEST_F(Comparing, TheBatchInFlightStandsBesideThePosition) {
  checkpoint_.in_flight = {{.topic = "u", .offsets = {{0, 1}}, .batch = 8},
                           {.topic = "t", .offsets = {{0, 600}}, .batch = 8}};
  const TopicComparison topic = Compare();
  EXPECT_EQ(topic.in_flight_batch, 8);
  EXPECT_EQ(topic.partitions[0].in_flight_end, 600);
  EXPECT_EQ(topic.partitions[1].in_flight_end, std::nullopt);
}

TEST_F(Comparing, EvidenceIsNamedStrongestFirst) {
  EXPECT_EQ(Compare().belongs, Belongs::kCurrent);
  binding_.topic_id = "A";
  binding_.generation = 0;
  EXPECT_THAT(Compare().evidence, ElementsAre("topic_id"));
  EXPECT_EQ(Compare().confidence, Confidence::kCertain);
  binding_.cluster_id = "old";
  EXPECT_THAT(Compare().evidence, ElementsAre("cluster_id", "topic_id"));
  binding_ = {.cluster_id = "lab", .generation = 0};
  EXPECT_THAT(Compare().evidence, ElementsAre("regression"));
  EXPECT_EQ(Compare().confidence, Confidence::kLikely);
  binding_ = {.cluster_id = "lab",
              .generation = -1,
              .evidence = "log_append_time",
              .confidence = Confidence::kCertain};
  EXPECT_THAT(Compare().evidence, ElementsAre("log_append_time"));
  EXPECT_EQ(Compare().confidence, Confidence::kCertain);
}

TEST_F(Comparing, AnUnknownIdSpeaksNeitherForNorAgainst) {
  binding_.topic_id.clear();
  EXPECT_EQ(Compare().belongs, Belongs::kCurrent) << "the generation is the same";
  binding_.cluster_id.clear();
  EXPECT_EQ(Compare().belongs, Belongs::kCurrent);
  binding_.generation = 0;
  EXPECT_EQ(Compare().belongs, Belongs::kEarlier);
}

TEST_F(Comparing, WithoutABindingNothingIsSaid) {
  const auto topic = tidegauge::Compare(checkpoint_, position_, TopicAnswer{}, nullptr, "lab",
                                        ledger_, "orders", kNow);
  EXPECT_EQ(topic.belongs, Belongs::kUnknown);
}

TEST_F(Comparing, RatesAreThoseOfTheTopicAndOfTheQuery) {
  answer_.partitions[0] = {.log_start = 30, .log_end = 800};
  ledger_.log_start_rates[{"lab", "t"}][0] = {{kNow - 30s, 0}};
  ledger_.position_rates[{"orders", "t", ""}][0] = {{kNow - 100s, 300}};
  const TopicComparison topic = Compare();
  EXPECT_DOUBLE_EQ(*topic.partitions[0].log_start_rate, 1);
  EXPECT_DOUBLE_EQ(*topic.partitions[0].position_rate, 2);
  EXPECT_EQ(topic.partitions[1].position_rate, std::nullopt);
}

TEST_F(Comparing, APartitionIsPassedByWhenTwoBatchesCameWithoutIt) {
  answer_.partitions[1] = {.log_start = 3, .log_end = 9};
  binding_.absent_since[1] = 7;
  checkpoint_.newest_batch = 8;
  EXPECT_FALSE(Compare().partitions[1].passed_by);
  checkpoint_.newest_batch = 9;
  EXPECT_TRUE(Compare().partitions[1].passed_by);
  checkpoint_.in_flight = {{.topic = "t", .offsets = {{1, 9}}, .batch = 9}};
  EXPECT_FALSE(Compare().partitions[1].passed_by) << "the batch in flight reads it";
}

TEST(WhyUnknown, SaysWhatWasNotAnswered) {
  TopicComparison topic{.topic = "t", .error = "not authorised"};
  EXPECT_EQ(WhyUnknown(topic), "topic t: not authorised");
  topic.error.clear();
  EXPECT_THAT(WhyUnknown(topic), HasSubstr("did not answer"));
  topic.presence = TopicPresence::kMissing;
  EXPECT_EQ(WhyUnknown(topic), "") << "missing is an answer";
  topic.presence = TopicPresence::kPresent;
  topic.partitions = {{.listed = true, .log_start = 0, .log_end = 5}};
  EXPECT_EQ(WhyUnknown(topic), "");
  topic.partitions.push_back({.partition = 1, .listed = true, .log_end = 5});
  EXPECT_THAT(WhyUnknown(topic), HasSubstr("1 of 2 partitions"));
  topic.partitions[1] = {.partition = 1, .position = 4, .listed = false};
  EXPECT_EQ(WhyUnknown(topic), "") << "a partition that is not there has no offsets";
}

}  // namespace
}  // namespace tidegauge
