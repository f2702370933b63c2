#include "core/checkpoint/source_topics.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

SourceOffset Kafka(std::string id, TopicOffsets topics) {
  return {.id = std::move(id), .kind = SourceKind::kKafka, .topics = std::move(topics)};
}

TEST(SourceTopics, ATopicInOneSourceHasNoSourceName) {
  const OffsetLogEntry entry{
      .sources = {Kafka("0", {{"b", {{0, 1}}}}), Kafka("1", {{"a", {{0, 2}}}})}};
  EXPECT_TRUE(SeparatelyReadTopics(entry, 2).empty());
  const std::vector<SourceTopic> expected{
      {.source = "", .topic = "a", .offsets = {{0, 2}}, .batch = 4},
      {.source = "", .topic = "b", .offsets = {{0, 1}}, .batch = 4}};
  EXPECT_EQ(TopicsOf(entry, 4, {}), expected);
}

TEST(SourceTopics, SelfUnionIsOneSource) {
  const OffsetLogEntry entry{
      .sources = {Kafka("0", {{"t", {{0, 5}}}}), Kafka("1", {{"t", {{0, 5}}}})}};
  const auto separate = SeparatelyReadTopics(entry, 1);
  EXPECT_TRUE(separate.empty());
  EXPECT_EQ(TopicsOf(entry, 0, separate).size(), 1u);
}

TEST(SourceTopics, TwoDirectoriesAreTwoSourcesThoughTheyAgree) {
  const OffsetLogEntry entry{
      .sources = {Kafka("0", {{"t", {{0, 5}}}}), Kafka("1", {{"t", {{0, 5}}}})}};
  const auto separate = SeparatelyReadTopics(entry, 2);
  EXPECT_EQ(separate, std::set<std::string>{"t"});
  const auto topics = TopicsOf(entry, 0, separate);
  ASSERT_EQ(topics.size(), 2u);
  EXPECT_EQ(topics[0].source, "0");
  EXPECT_EQ(topics[1].source, "1");
}

TEST(SourceTopics, OffsetsThatDifferAreTwoSourcesWhateverTheDirectories) {
  const OffsetLogEntry entry{
      .sources = {Kafka("0", {{"t", {{0, 5}}}}), Kafka("1", {{"t", {{0, 6}}}})}};
  EXPECT_EQ(SeparatelyReadTopics(entry, 0), std::set<std::string>{"t"});
}

}  // namespace
}  // namespace tidegauge
