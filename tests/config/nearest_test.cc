#include "config/nearest.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

const std::vector<std::string> kKeys = {"poll_interval", "state_dir", "kafka", "queries"};

TEST(Nearest, finds_one_edit_of_each_kind) {
  EXPECT_EQ(Nearest("poll_intervall", kKeys), "poll_interval");
  EXPECT_EQ(Nearest("pol_interval", kKeys), "poll_interval");
  EXPECT_EQ(Nearest("poll-interval", kKeys), "poll_interval");
  EXPECT_EQ(Nearest("kakfa", kKeys), "kafka");
}

TEST(Nearest, prefers_the_smaller_distance) {
  EXPECT_EQ(Nearest("partition", {"partitions", "partition_", "partition"}), "partition");
}

TEST(Nearest, is_silent_when_nothing_is_near) {
  EXPECT_EQ(Nearest("detectors", kKeys), std::nullopt);
  EXPECT_EQ(Nearest("x", kKeys), std::nullopt);
  EXPECT_EQ(Nearest("", kKeys), std::nullopt);
  EXPECT_EQ(Nearest(std::string(1'000'000, 'k'), kKeys), std::nullopt);
}

TEST(Suggestion, lists_what_is_known_when_nothing_is_near) {
  EXPECT_EQ(Suggestion("kafak", kKeys), ", did you mean 'kafka'?");
  EXPECT_EQ(Suggestion("zzz", {"a", "b"}), ", known: a, b");
  EXPECT_EQ(Suggestion("zzz", {}), "");
}

TEST(Suggestion, does_not_list_hundreds) {
  EXPECT_EQ(Suggestion("zzz", std::vector<std::string>(13, "a")),
            ", known: a, a, a, a, a, a, a, a, a, a, a, a, ...");
  EXPECT_EQ(Nearest("ab", std::vector<std::string>(201, "ab")), std::nullopt);
}

}  // namespace
}  // namespace tidegauge
