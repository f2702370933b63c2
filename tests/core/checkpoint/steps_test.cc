#include "core/checkpoint/steps.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using Kind = BatchStep::Kind;

SourceOffset Line(std::string id, TopicOffsets topics) {
  const SourceKind kind = topics.empty() ? SourceKind::kEmpty : SourceKind::kKafka;
  return {.id = std::move(id), .kind = kind, .topics = std::move(topics)};
}

OffsetLogEntry One(TopicOffsets topics, std::string shuffle = "200") {
  return {.shuffle_partitions = std::move(shuffle), .sources = {Line("0", std::move(topics))}};
}

std::vector<BatchStep> Steps(const OffsetLogEntry& before, const OffsetLogEntry& after) {
  return StepsBetween(nullptr, before, after, 7, {});
}

TEST(Steps, ProgressAndRepetitionAreNone) {
  EXPECT_TRUE(Steps(One({{"t", {{0, 5}}}}), One({{"t", {{0, 9}}}})).empty());
  EXPECT_TRUE(Steps(One({{"t", {{0, 5}}}}), One({{"t", {{0, 5}}}})).empty());
  EXPECT_TRUE(Steps(One({{"t", {{0, 5}}}}), One({{"t", {{0, 5}, {1, 0}}}})).empty());
  EXPECT_TRUE(Steps(One({}), One({{"t", {{0, 5}}}})).empty());
}

TEST(Steps, Backwards) {
  const std::vector<BatchStep> expected{{.kind = Kind::kBackwards,
                                         .batch = 7,
                                         .topic = "t",
                                         .from = {{1, 500}},
                                         .to = {{1, 300}},
                                         .before = {{0, 5}, {1, 500}}}};
  EXPECT_EQ(Steps(One({{"t", {{0, 5}, {1, 500}}}}), One({{"t", {{0, 6}, {1, 300}}}})), expected);
}

TEST(Steps, PartitionsDroppedWhileOthersWentBack) {
  const std::vector<BatchStep> expected{
      {.kind = Kind::kBackwards,
       .batch = 7,
       .topic = "t",
       .from = {{0, 100}},
       .to = {{0, 20}},
       .before = {{0, 100}, {1, 70}}},
      {.kind = Kind::kPartitionDropped, .batch = 7, .topic = "t", .from = {{1, 70}}}};
  EXPECT_EQ(Steps(One({{"t", {{0, 100}, {1, 70}}}}), One({{"t", {{0, 20}}}})), expected);
}

TEST(Steps, ATopicThatVanishedDroppedAllItsPartitions) {
  const std::vector<BatchStep> expected{
      {.kind = Kind::kPartitionDropped, .batch = 7, .topic = "a", .from = {{0, 1}, {1, 2}}}};
  EXPECT_EQ(Steps(One({{"a", {{0, 1}, {1, 2}}}, {"b", {{0, 3}}}}), One({{"b", {{0, 3}}}})),
            expected);
}

TEST(Steps, SourceEmptied) {
  const std::vector<BatchStep> expected{
      {.kind = Kind::kSourceEmptied, .batch = 7, .topic = "t", .from = {{0, 5}}}};
  EXPECT_EQ(Steps(One({{"t", {{0, 5}}}}), One({})), expected);
}

TEST(Steps, OfflineRepartitionGoesBackOnPurpose) {
  const OffsetLogEntry committed = One({{"t", {{0, 10}}}}, "200");
  const OffsetLogEntry uncommitted = One({{"t", {{0, 20}}}}, "200");
  const OffsetLogEntry repeated = One({{"t", {{0, 10}}}}, "64");
  EXPECT_TRUE(StepsBetween(&committed, uncommitted, repeated, 7, {}).empty());
  EXPECT_TRUE(StepsBetween(nullptr, uncommitted, repeated, 7, {}).empty())
      << "the batch to compare with is purged; the number never changes otherwise";
}

TEST(Steps, OtherReturnsAreNoRepartition) {
  const OffsetLogEntry committed = One({{"t", {{0, 10}}}});
  const OffsetLogEntry later = One({{"t", {{0, 20}}}});
  EXPECT_EQ(StepsBetween(&committed, later, One({{"t", {{0, 10}}}}), 7, {}).size(), 1u)
      << "the number of shuffle partitions is the same";
  EXPECT_EQ(StepsBetween(&committed, later, One({{"t", {{0, 4}}}}, "64"), 7, {}).size(), 1u)
      << "the offsets are not those of the committed batch";
  EXPECT_EQ(StepsBetween(&committed, later, One({{"t", {{0, 10}}}}, ""), 7, {}).size(), 1u)
      << "the number is not known";
}

TEST(Steps, AnotherNumberOfLinesMatchesNothing) {
  OffsetLogEntry after = One({{"t", {{0, 1}}}});
  after.sources.push_back(Line("1", {{"t", {{0, 1}}}}));
  EXPECT_TRUE(Steps(One({{"t", {{0, 5}}}}), after).empty());
}

TEST(Steps, Version2MatchesByName) {
  const OffsetLogEntry before{.version = 2, .sources = {Line("beta", {{"t", {{0, 5}}}})}};
  const OffsetLogEntry after{
      .version = 2, .sources = {Line("alpha", {{"u", {{0, 1}}}}), Line("beta", {{"t", {{0, 2}}}})}};
  ASSERT_EQ(Steps(before, after).size(), 1u);
  EXPECT_EQ(Steps(before, after)[0].topic, "t");
}

TEST(Steps, SelfUnionSaysItOnce) {
  const OffsetLogEntry before{
      .sources = {Line("0", {{"t", {{0, 5}}}}), Line("1", {{"t", {{0, 5}}}})}};
  const OffsetLogEntry after{
      .sources = {Line("0", {{"t", {{0, 2}}}}), Line("1", {{"t", {{0, 2}}}})}};
  ASSERT_EQ(Steps(before, after).size(), 1u);
  EXPECT_EQ(Steps(before, after)[0].source, "");
  EXPECT_EQ(StepsBetween(nullptr, before, after, 7, {"t"}).size(), 2u);
}

}  // namespace
}  // namespace tidegauge
