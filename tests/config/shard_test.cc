#include "config/shard.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace tidegauge {
namespace {

using ::testing::HasSubstr;

constexpr int kQueries = 100'000;

std::string Name(int query) { return fmt::format("team{}.job-{}", query % 97, query); }

TEST(Shard, of_a_name_is_the_same_for_good) {
  // As a second program says that was written from the two papers.
  const std::vector<std::pair<std::string, std::array<std::int64_t, 4>>> expected{
      {"orders", {0, 10, 10, 1811}},  {"clicks", {1, 11, 11, 7380}},
      {"eu.orders", {0, 7, 7, 4258}}, {"job-00001", {1, 12, 12, 7659}},
      {"job-00002", {1, 1, 1, 2008}}, {"téléphone", {0, 8, 8, 4102}},
      {"a", {1, 12, 12, 4279}},
  };
  for (const auto& [name, shards] : expected) {
    EXPECT_EQ(ShardOf(name, 2), shards[0]) << name;
    EXPECT_EQ(ShardOf(name, 16), shards[1]) << name;
    EXPECT_EQ(ShardOf(name, 17), shards[2]) << name;
    EXPECT_EQ(ShardOf(name, kMaxShards), shards[3]) << name;
  }
}

TEST(Shard, every_query_belongs_to_one_of_sixteen_and_they_have_much_the_same) {
  std::vector<int> sizes(16);
  for (int query = 0; query < kQueries; ++query) {
    const std::string name = Name(query);
    int owners = 0;
    for (int index = 0; index < 16; ++index) {
      if (!Shard::Make(index, 16)->Owns(name)) continue;
      ++owners;
      ++sizes[index];
    }
    ASSERT_EQ(owners, 1) << name;
  }
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0), kQueries);
  const double mean = kQueries / 16.0;
  EXPECT_LT(*std::ranges::max_element(sizes), 1.05 * mean);
  EXPECT_GT(*std::ranges::min_element(sizes), 0.95 * mean);
}

TEST(Shard, a_seventeenth_takes_its_share_and_nothing_else_moves) {
  int moved = 0;
  for (int query = 0; query < kQueries; ++query) {
    const auto before = ShardOf(Name(query), 16);
    const auto after = ShardOf(Name(query), 17);
    if (before == after) continue;
    ASSERT_EQ(after, 16) << Name(query);
    ++moved;
  }
  EXPECT_NEAR(moved, kQueries / 17.0, 0.05 * kQueries / 17.0);
}

TEST(Shard, has_the_sizes_that_the_page_on_scale_names) {
  std::vector<int> sizes(16);
  int moved = 0;
  for (int query = 0; query < kQueries; ++query) {
    const std::string name = fmt::format("job-{:05}", query);
    ++sizes[ShardOf(name, 16)];
    if (ShardOf(name, 16) != ShardOf(name, 17)) ++moved;
  }
  EXPECT_EQ(*std::ranges::min_element(sizes), 6110);
  EXPECT_EQ(*std::ranges::max_element(sizes), 6419);
  EXPECT_EQ(moved, 5839);
}

TEST(Shard, the_only_one_owns_everything) {
  for (const char* name : {"", "orders", "\xFF"}) EXPECT_TRUE(Shard().Owns(name));
}

TEST(Shard, out_of_range_is_refused_with_what_would_do) {
  EXPECT_THAT(Shard::Make(16, 16).error().message, HasSubstr("from 0 to 15"));
  EXPECT_FALSE(Shard::Make(-1, 16));
  EXPECT_FALSE(Shard::Make(0, 0));
  EXPECT_FALSE(Shard::Make(0, std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(Shard::Make(kMaxShards - 1, kMaxShards));
}

}  // namespace
}  // namespace tidegauge
