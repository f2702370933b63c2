// What we say that Spark will say, beside what Spark 3.5.1 said when it was restarted on exactly
// this state (facts.json of each fixture).
#include "core/detectors/restart_message.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checkpoint/snapshot.h"
#include "tests/support/memory_storage.h"

namespace tidegauge {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Row {
  std::string fixture;
  std::string said;  ///< by Spark, and by us
};

const std::vector<Row> kRefused{
    {"empty-offsets", "offsets/2. Incomplete log file"},
    {"bad-version",
     "UnsupportedLogVersion: maximum supported log version is v1, but encountered v9"},
    {"trunc-offsets", "Unexpected end-of-input"},
    {"no-offsets-1", "batch 1 doesn't exist"},
};

std::string FactsOf(const std::string& fixture) {
  std::ifstream file(TIDEGAUGE_FIXTURES "/spark-3.5.1/corrupt/" + fixture + "/facts.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Damage> DamageIn(const std::string& fixture) {
  testing::MemoryStorage storage;
  storage.Load(TIDEGAUGE_FIXTURES "/spark-3.5.1/corrupt/" + fixture + "/checkpoint", "/c");
  const auto read = ReadCheckpoint(storage, "/c", nullptr, Time(Duration(1'796'100'000'000)));
  return read ? (*read)->damage : std::vector<Damage>{};
}

TEST(RestartMessage, IsWhatSparkSaid) {
  for (const Row& row : kRefused) {
    const auto damage = DamageIn(row.fixture);
    ASSERT_THAT(damage, SizeIs(1)) << row.fixture;
    EXPECT_THAT(RestartMessage(damage[0], "/data/corrupt/checkpoint"), HasSubstr(row.said));
    EXPECT_THAT(FactsOf(row.fixture), HasSubstr(row.said));
  }
}

TEST(RestartMessage, SparkStartedOnTheOthers) {
  for (const char* fixture : {"no-commit", "empty-sinklog", "sinklog-ahead"}) {
    EXPECT_THAT(DamageIn(fixture), SizeIs(0)) << fixture;
    EXPECT_THAT(FactsOf(fixture), HasSubstr("\"error\": null")) << fixture;
  }
}

Damage Unreadable(Damage::Kind kind, std::string what) {
  return {.kind = kind, .file = "offsets/7", .batch = 7, .what = std::move(what)};
}

TEST(RestartMessage, FollowsFromWhereTheFileIsTorn) {
  using Kind = Damage::Kind;
  const auto says = [](std::string what) {
    return RestartMessage(Unreadable(Kind::kOffsetsUnreadable, std::move(what)), "/c");
  };
  EXPECT_THAT(says("line 1: expected a version such as 'v1', found 'x9'"),
              HasSubstr("/c/offsets/7. Log file was malformed: failed to read correct log version "
                        "from x9."));
  EXPECT_THAT(says("torn: 1 of at least 3 lines"), HasSubstr("next on empty iterator"));
  EXPECT_THAT(says("torn: 2 of at least 3 lines"), HasSubstr("There are [0] sources"));
  EXPECT_THAT(says("line 3: expected one JSON object"), HasSubstr("Expected e.g."));
  EXPECT_THAT(says(std::string(kListedOnly)), HasSubstr("Unable to find batch /c/offsets/7"));
  EXPECT_THAT(says("is not a regular file"), HasSubstr("an error about this file"));
  EXPECT_THAT(RestartMessage(Unreadable(Kind::kCommitUnreadable, "empty"), "/c"),
              HasSubstr("Incomplete log file in the offset commit log"));
}

}  // namespace
}  // namespace tidegauge
