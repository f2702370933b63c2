// What real Spark wrote (tests/fixtures), read through the real storage.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checkpoint/snapshot.h"
#include "daemon/storage/local_storage.h"
#include "tests/core/checkpoint/topics_text.h"

namespace tidegauge {
namespace {

using ::testing::HasSubstr;

constexpr Time kNow{Duration(1'796'100'000'000)};
const std::string kFixtures = TIDEGAUGE_FIXTURES;

struct Row {
  std::string fixture;
  BatchId newest;
  std::optional<BatchId> committed;
  std::string position;
  std::string in_flight = {};
  std::string steps = {};  ///< batch and kind: `3<` went back, `3-` partitions dropped
  std::size_t other_sources = 0;
  bool continuous = false;
  std::string problem = {};

  friend std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.fixture; }
};

std::string StepsText(const std::vector<BatchStep>& steps) {
  std::string text;
  for (const BatchStep& step : steps) {
    if (!text.empty()) text += ' ';
    text += std::to_string(step.batch);
    text += step.kind == BatchStep::Kind::kBackwards ? "<" : "-";
  }
  return text;
}

const std::string kNames35 =
    "a.b-c_D9[0=12,1=7,2=11]@0 "
    "z-2[0=4,1=10,2=11,3=13,4=8,5=10,6=7,7=9,8=15,9=11,10=10,11=12]@0";
const std::string kNames41 =
    "a.b-c_D9[0=11,1=10,2=9]@0 "
    "z-2[0=11,1=7,2=12,3=8,4=8,5=10,6=12,7=11,8=12,9=7,10=7,11=15]@0";

const std::vector<Row> kReadable{
    {"spark-3.5.1/async_progress/0", 18, 18, "async_progress[0=61,1=69]@18"},
    {"spark-3.5.1/checkpoint_deleted/1-rerun", 0, 0, "checkpoint_deleted[0=25]@0"},
    {"spark-3.5.1/checkpoint_deleted/2-rerun", 1, 1, "checkpoint_deleted[0=30]@1"},
    {"spark-3.5.1/compact_interval/0-interval3", 6, 6, "compact_interval[0=14]@6"},
    {"spark-3.5.1/compact_interval/1-default10", 12, 12, "compact_interval[0=26]@12"},
    {.fixture = "spark-3.5.1/continuous/0",
     .newest = 8,
     .committed = 8,
     .position = "continuous[0=10,1=10]@8",
     .continuous = true},
    {"spark-3.5.1/corrupt/empty-sinklog", 2, 2, "corrupt[0=15]@2"},
    // Spark ran batch 2 again, from 10 to 15.
    {"spark-3.5.1/corrupt/no-commit", 2, 1, "corrupt[0=10]@1", "corrupt[0=15]@2"},
    // Spark: "batch 1 doesn't exist".
    {.fixture = "spark-3.5.1/corrupt/no-offsets-1",
     .newest = 2,
     .committed = 2,
     .position = "corrupt[0=15]@2",
     .problem = "batch 1 doesn't exist"},
    {"spark-3.5.1/corrupt/sinklog-ahead", 2, 2, "corrupt[0=15]@2"},
    {"spark-3.5.1/metadata_deleted/0-two-batches", 1, 1, "metadata_deleted[0=10]@1"},
    {"spark-3.5.1/metadata_deleted/1-deleted", 1, 1, "metadata_deleted[0=10]@1"},
    {"spark-3.5.1/metadata_deleted/2-batch8", 8, 8, "metadata_deleted[0=45]@8"},
    {"spark-3.5.1/metadata_deleted/3-failed", 9, 8, "metadata_deleted[0=45]@8",
     "metadata_deleted[0=50]@9"},
    {"spark-3.5.1/partial_write/0-orphan-missing-truncated", 2, 2, "partial_write[0=15]@2"},
    {"spark-3.5.1/partitions/1-added", 0, 0, "partitions[0=100,1=70]@0"},
    {"spark-3.5.1/partitions/3-fewer", 1, 1, "partitions[0=100,1=70,2=30,3=0]@1"},
    {"spark-3.5.1/partitions/5-nofail", 2, 2, "partitions[0=200]@2", "", "2-"},
    {"spark-3.5.1/reset_above/0-consumed", 0, 0, "reset_above[0=500]@0"},
    {"spark-3.5.1/reset_above/1-recreated", 0, 0, "reset_above[0=500]@0"},
    {"spark-3.5.1/reset_above/2-silent-loss", 1, 1, "reset_above[0=800]@1"},
    {"spark-3.5.1/reset_below/0-consumed", 0, 0, "reset_below[0=500]@0"},
    {"spark-3.5.1/reset_below/1-recreated", 0, 0, "reset_below[0=500]@0"},
    {"spark-3.5.1/reset_below/2-failed", 1, 0, "reset_below[0=500]@0", "reset_below[0=300]@1"},
    {"spark-3.5.1/reset_below/3-no-fail", 1, 1, "reset_below[0=300]@1", "", "1<"},
    {"spark-3.5.1/reset_below/4-after", 2, 2, "reset_below[0=350]@2", "", "1<"},
    {"spark-3.5.1/reset_empty/1-recreated", 0, 0, "reset_empty[0=500]@0"},
    {"spark-3.5.1/reset_empty/2-after-restart", 1, 0, "reset_empty[0=500]@0", "reset_empty[0=0]@1"},
    {"spark-3.5.1/reset_empty/3-restart-nofail", 1, 1, "reset_empty[0=0]@1", "", "1<"},
    {"spark-3.5.1/reset_empty/4-produced", 2, 2, "reset_empty[0=100]@2", "", "1<"},
    {"spark-3.5.1/reset_equal/1-recreated", 0, 0, "reset_equal[0=500]@0"},
    {"spark-3.5.1/reset_equal/2-after", 0, 0, "reset_equal[0=500]@0"},
    {"spark-3.5.1/retention/1-trimmed", 0, 0, "retention[0=500]@0"},
    {"spark-3.5.1/retention/2-failed", 1, 0, "retention[0=500]@0", "retention[0=1000]@1"},
    {"spark-3.5.1/retention/3-no-fail", 1, 1, "retention[0=1000]@1"},
    {"spark-3.5.1/stateful/0", 3, 3, "stateful[0=29,1=11]@3"},
    {"spark-3.5.1/topic_deleted/1-deleted", 0, 0, "topic_deleted[0=50]@0"},
    {"spark-3.5.1/topic_deleted/2-restart", 0, 0, "topic_deleted[0=50]@0"},
    {"spark-3.5.1/topic_names/0", 0, 0, kNames35},
    {"spark-3.5.1/trimmed_log/0", 13, 13, "trimmed_log[0=28]@13"},
    {.fixture = "spark-3.5.1/two_sources/2-file-source-compacted",
     .newest = 12,
     .committed = 12,
     .position = "src_a[0=12,1=8]@12 src_b[0=17]@12",
     .other_sources = 1},
    {"spark-4.1.1/stateful/0", 3, 3, "stateful[0=23,1=17]@3"},
    {"spark-4.1.1/topic_names/0", 0, 0, kNames41},
    {.fixture = "spark-4.1.1/two_sources/0",
     .newest = 0,
     .committed = 0,
     .position = "src_a[0=8,1=12]@0 src_b[0=10]@0",
     .other_sources = 1},
    {"spark-4.2.0/commit_log_v2", 0, 0, "v2t[0=6,1=3]@0"},
    {"spark-4.2.0/offset_log_v2", 1, 1, "v2t[0=6,1=3]@1 v2u[0=5,1=3]@1"},
};

struct Refused {
  std::string fixture;
  Damage::Kind kind;
  std::string what;
};

/// Spark did not start on these either.
const std::vector<Refused> kUnreadable{
    {"spark-3.5.1/corrupt/empty-offsets", Damage::Kind::kOffsetsUnreadable, "empty"},
    {"spark-3.5.1/corrupt/bad-version", Damage::Kind::kVersion, "version v9"},
    {"spark-3.5.1/corrupt/trunc-offsets", Damage::Kind::kOffsetsUnreadable, "line 2"},
};

Result<std::shared_ptr<const Checkpoint>> ReadFixture(const std::string& fixture) {
  LocalStorage storage;
  return ReadCheckpoint(storage, kFixtures + "/" + fixture + "/checkpoint", nullptr, kNow);
}

class Fixture : public ::testing::TestWithParam<Row> {};

TEST_P(Fixture, IsReadAsSparkMeantIt) {
  const Row& row = GetParam();
  const auto read = ReadFixture(row.fixture);
  ASSERT_TRUE(read) << read.error().message;
  const Checkpoint& checkpoint = **read;
  EXPECT_EQ(checkpoint.newest_batch, row.newest);
  EXPECT_EQ(checkpoint.committed_batch, row.committed);
  EXPECT_EQ(testing::TopicsText(checkpoint.position), row.position);
  EXPECT_EQ(testing::TopicsText(checkpoint.in_flight), row.in_flight);
  EXPECT_EQ(StepsText(checkpoint.steps), row.steps);
  EXPECT_EQ(checkpoint.kafka_sources, row.other_sources + (row.position.contains("v2u") ? 2 : 1));
  EXPECT_EQ(checkpoint.unmonitored_sources, row.other_sources);
  EXPECT_EQ(checkpoint.undecided_sources, 0u);
  EXPECT_EQ(checkpoint.continuous, row.continuous);
  EXPECT_EQ(checkpoint.position_at.has_value(), !row.continuous);
  EXPECT_EQ(checkpoint.query_id.size(), 36u);
  EXPECT_EQ(checkpoint.problems.size(), row.problem.empty() ? 0u : 1u);
  for (const std::string& problem : checkpoint.problems)
    EXPECT_THAT(problem, HasSubstr(row.problem));
}

INSTANTIATE_TEST_SUITE_P(All, Fixture, ::testing::ValuesIn(kReadable), [](const auto& test) {
  std::string name = test.param.fixture;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(Fixtures, WhatSparkRefusesHasNoPosition) {
  for (const Refused& row : kUnreadable) {
    const auto read = ReadFixture(row.fixture);
    ASSERT_TRUE(read) << row.fixture;
    EXPECT_FALSE((*read)->position_known) << row.fixture;
    ASSERT_EQ((*read)->damage.size(), 1u) << row.fixture;
    const Damage& damage = (*read)->damage[0];
    EXPECT_EQ(damage.kind, row.kind) << row.fixture;
    EXPECT_EQ(damage.file, "offsets/2") << row.fixture;
    EXPECT_EQ(damage.batch, 2) << row.fixture;
    EXPECT_THAT(damage.what, HasSubstr(row.what)) << row.fixture;
  }
}

TEST(Fixtures, AllAreInTheTables) {
  std::set<std::string> known;
  for (const Row& row : kReadable) known.insert(row.fixture);
  for (const Refused& row : kUnreadable) known.insert(row.fixture);
  std::set<std::string> present;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFixtures)) {
    if (!entry.is_directory() || entry.path().filename() != "checkpoint") continue;
    present.insert(entry.path().parent_path().lexically_relative(kFixtures).string());
  }
  EXPECT_EQ(present, known);
}

}  // namespace
}  // namespace tidegauge
