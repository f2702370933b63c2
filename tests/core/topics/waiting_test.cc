#include "core/topics/waiting.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TopicComparison Topic(std::vector<PartitionComparison> partitions) {
  return {.topic = "t", .belongs = Belongs::kCurrent, .partitions = std::move(partitions)};
}

PartitionComparison At(std::optional<Offset> position, std::optional<Offset> log_end) {
  return {.position = position, .log_end = log_end};
}

TEST(Waiting, IsTheSumOverAllTopics) {
  EXPECT_EQ(RecordsWaiting({Topic({At(5, 9), At(3, 3)}), Topic({At(0, 10)})}), 14);
  EXPECT_EQ(RecordsWaiting({Topic({At(9, 5), At(3, 4)})}), 1) << "never less than none";
  EXPECT_EQ(RecordsWaiting({Topic({At(5, 9), At({}, 100)})}), 4) << "not yet the query's";
}

TEST(Waiting, IsUnknownWhereAPartOfItIs) {
  EXPECT_EQ(RecordsWaiting({}), std::nullopt);
  EXPECT_EQ(RecordsWaiting({Topic({At(5, 9), At(3, {})})}), std::nullopt);
  TopicComparison earlier = Topic({At(5, 9)});
  earlier.belongs = Belongs::kEarlier;
  EXPECT_EQ(RecordsWaiting({Topic({At(5, 9)}), earlier}), std::nullopt);
}

}  // namespace
}  // namespace tidegauge
