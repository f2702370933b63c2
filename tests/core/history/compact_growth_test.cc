#include "core/history/compact_growth.h"

#include <gmock/gmock.h>

#include "core/history/recollection.h"
#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// A log whose names and sizes are given; `compacts` by batch.
CompactibleLog LogOf(const CompactSizes& compacts, const std::vector<BatchId>& plain = {}) {
  CompactibleLog log{.configured = 10};
  log.files.plain = plain;
  for (const auto& [batch, bytes] : compacts) {
    log.files.compacts.push_back(batch);
    log.compacts.insert(log.compacts.begin(),
                        {.batch = batch, .bytes = static_cast<std::uint64_t>(bytes)});
  }
  if (log.compacts.size() > 2) log.compacts.resize(2);
  return log;
}

class CompactGrowthTest : public ::testing::Test {
 protected:
  std::optional<CompactGrowth> Note(const CompactSizes& compacts,
                                    const std::vector<BatchId>& plain = {}) {
    const CompactibleLog log = LogOf(compacts, plain);
    NoteCompactSizes(sizes_, log);
    return GrowthOf(sizes_, log);
  }
  CompactSizes sizes_;
};

TEST_F(CompactGrowthTest, OneFileHasNoGrowth_TwoHave) {
  EXPECT_EQ(Note({}), std::nullopt);
  EXPECT_EQ(Note({{9, 100}}), std::nullopt);
  EXPECT_EQ(Note({{9, 100}, {19, 130}}), (CompactGrowth{30, 10}));
}

TEST_F(CompactGrowthTest, WhatSparkDeletedIsRemembered) {
  EXPECT_EQ(Note({{99, 1000}}), std::nullopt);
  EXPECT_EQ(Note({{199, 3000}}), (CompactGrowth{2000, 100}));
}

TEST_F(CompactGrowthTest, IsTheAverage_AlsoOverCompactionsThatWereNotSeen) {
  Note({{9, 100}, {19, 200}});
  EXPECT_EQ(Note({{39, 250}}), (CompactGrowth{50, 10}));
}

TEST_F(CompactGrowthTest, RetentionMakesItNegative) {
  EXPECT_EQ(Note({{9, 100}, {19, 70}}), (CompactGrowth{-30, 10}));
}

TEST_F(CompactGrowthTest, TheNewestAreKept) {
  for (BatchId batch = 9; batch < 200; batch += 10) Note({{batch, batch * batch}});
  EXPECT_EQ(sizes_.size(), kCompactSizes);
  EXPECT_EQ(sizes_.rbegin()->first, 199);
  EXPECT_EQ(sizes_.begin()->first, 129);
}

TEST_F(CompactGrowthTest, AnotherLogBeginsAfresh) {
  Note({{9, 100}, {19, 200}});
  EXPECT_EQ(Note({{9, 50}}), std::nullopt) << "older than what was remembered";
  EXPECT_THAT(sizes_, ElementsAre(Pair(9, 50)));
  EXPECT_EQ(Note({{9, 60}}), std::nullopt) << "the same name, but another file";
  EXPECT_THAT(sizes_, ElementsAre(Pair(9, 60)));
}

TEST_F(CompactGrowthTest, IsUnknownWhereAFileBetweenTwoIsLost) {
  EXPECT_EQ(Note({{9, 100}, {29, 200}}, {10, 11, 20, 21}), std::nullopt);
}

class NoteLogsTest : public ::testing::Test {
 protected:
  NoteLogsTest() {
    story_.kafka.Set("t", "A", {{0, {0, 100'000}}});
    story_.sinks["orders"] = "/out";
  }
  static std::string File(const std::string& name) { return "/out/_spark_metadata/" + name; }
  void RunTo(BatchId last) {
    for (; next_ <= last; ++next_) {
      story_.query().Batch({{"t", {{0, 5 * (next_ + 1)}}}});
      story_.storage.Write(File(std::to_string(next_)), "v1");
    }
  }
  void Compact(BatchId batch, std::size_t bytes) {
    RunTo(batch);
    story_.storage.Remove(File(std::to_string(batch)));
    story_.storage.Write(File(std::to_string(batch) + ".compact"), std::string(bytes, ' '));
  }
  std::optional<std::int64_t> Growth() { return QueryOf(story_.Poll()).logs.at(0).compact_growth; }

  Scenario story_;
  BatchId next_ = 0;
};

TEST_F(NoteLogsTest, GrowthIsRememberedOverARestart_AndForgottenWithTheQuery) {
  Compact(9, 1000);
  EXPECT_EQ(Growth(), std::nullopt);
  story_.storage.Remove(File("9.compact"));
  Compact(19, 1500);
  story_.RestartDaemon();
  EXPECT_EQ(Growth(), 500);
  EXPECT_THAT(
      story_.ledger.compact_sizes,
      ElementsAre(Pair(Pair("orders", "sink"), ElementsAre(Pair(9, 1000), Pair(19, 1500)))));
  story_.ledger.queries.clear();
  Forget(story_.ledger, {}, story_.now);
  EXPECT_THAT(story_.ledger.compact_sizes, IsEmpty());
}

TEST_F(NoteLogsTest, HowLongACompactionTookIsItsFilesTimeSinceItsPlan) {
  RunTo(8);
  story_.Wait(std::chrono::minutes(5));
  story_.query().Plan({{"t", {{0, 50}}}});
  story_.Wait(std::chrono::seconds(90));
  story_.storage.Write(File("9.compact"), "v1");
  const Time written_at = story_.now;
  story_.storage.SetModified(File("9.compact"), written_at);
  story_.query().Commit();
  const LogReport log = QueryOf(story_.Poll()).logs.at(0);
  EXPECT_EQ(log.compaction_took, std::chrono::seconds(90));
  EXPECT_EQ(log.compact_written_at, written_at);
  story_.storage.SetModified(File("9.compact"), written_at - std::chrono::hours(1));
  EXPECT_EQ(QueryOf(story_.Poll()).logs.at(0).compaction_took, std::nullopt) << "it was restored";
}

}  // namespace
}  // namespace tidegauge::testing
