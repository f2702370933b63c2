// What real Spark wrote, with what it did next, and cases of people that polls tell apart.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const fs::path kFixtures = fs::path(TIDEGAUGE_FIXTURES) / "spark-3.5.1";
const std::string kOut = "/data/out/orders";

/// Findings about logs, as "kind batch [missing]".
std::vector<std::string> AboutLogs(const Report& report) {
  std::vector<std::string> told;
  for (const FindingReport& found : report.findings) {
    const Finding& finding = found.finding;
    if (finding.key.log.empty()) continue;
    told.push_back(fmt::format("{} {} [{}]", finding.key.kind, finding.batch.value_or(-1),
                               fmt::join(finding.missing, " ")));
  }
  return told;
}

class SinkLogs : public ::testing::Test {
 protected:
  void Load(const std::string& state) {
    const std::string checkpoint = story_.query().path();
    story_.query().RemoveAll();
    story_.storage.Load(kFixtures / state / "checkpoint", checkpoint);
    story_.storage.Remove(kOut);
    story_.storage.MakeDirectory(kOut);
    if (fs::exists(kFixtures / state / "sink"))
      story_.storage.Load(kFixtures / state / "sink", kOut);
    story_.sinks["orders"] = kOut;
  }
  std::vector<std::string> Told() { return AboutLogs(story_.Poll()); }

  Scenario story_;
};

struct State {
  std::string name;
  std::vector<std::string> told;
  std::string spark;  ///< what it did next
};

const std::vector<State> kStates{
    {"metadata_deleted/0-two-batches", {}, "went on"},
    {"metadata_deleted/1-deleted",
     {"compaction_will_fail 9 [0 1]", "sink_log_missing -1 []"},
     "wrote batches 2 to 8, and failed at 9"},
    {"metadata_deleted/2-batch8",
     {"compaction_will_fail 9 [0 1]", "sink_log_gap -1 [0 1]"},
     "failed at batch 9: Unable to find batch …/_spark_metadata/0"},
    {"metadata_deleted/3-failed",
     {"compaction_will_fail 9 [0 1]", "sink_log_gap -1 [0 1]"},
     "fails at batch 9 again"},
    {"compact_interval/0-interval3", {}, "kept interval 3, though 10 is the default"},
    {"compact_interval/1-default10", {}, "had compacted at 8 and 11"},
    {"checkpoint_deleted/1-rerun", {"sink_ahead_of_checkpoint 1 []"}, "batch 1: rows 0, no error"},
    {"checkpoint_deleted/2-rerun", {"sink_ahead_of_checkpoint 2 []"}, "rows 0, no error"},
    {"trimmed_log/0", {}, "went on: old files are purged, legally"},
    {"corrupt/empty-sinklog",
     {"compaction_will_fail 9 [2]", "sink_log_unreadable 9 [2]"},
     "batch 3 went well: the empty file is read at the next compaction only"},
    {"corrupt/sinklog-ahead", {"sink_ahead_of_checkpoint 3 []"}, "batch 3: rows 0, no error"},
    {"corrupt/no-commit", {}, "ran batch 2 again, wrote nothing twice"},
    {"two_sources/2-file-source-compacted", {}, "went on"},
};

class SinkLogState : public SinkLogs, public ::testing::WithParamInterface<State> {};

TEST_P(SinkLogState, IsJudgedAsSparkDidNext) {
  Load(GetParam().name);
  EXPECT_THAT(Told(), ElementsAreArray(GetParam().told)) << "Spark: " << GetParam().spark;
  EXPECT_THAT(QueryOf(story_.report).logs.at(0).up, true);
}

INSTANTIATE_TEST_SUITE_P(Spark, SinkLogState, ::testing::ValuesIn(kStates), [](const auto& test) {
  std::string name = test.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

TEST_F(SinkLogs, ASettingThatTheLogDoesNotFollowIsInfo) {
  Load("compact_interval/1-default10");
  story_.compact_intervals["orders"] = 10;
  EXPECT_THAT(Told(), ElementsAre("compact_interval_changed 14 []"));
}

TEST_F(SinkLogs, TheLogOfAFileSourceIsWatchedToo) {
  Load("two_sources/2-file-source-compacted");
  Told();
  const auto& logs = QueryOf(story_.report).logs;
  ASSERT_EQ(logs.size(), 2u);
  EXPECT_EQ(logs[1].log, "source 1");
  EXPECT_EQ(logs[1].newest_batch, 11);
  EXPECT_EQ(logs[1].next_compaction, 19);
  story_.storage.Remove(story_.query().path() + "/sources/1/10");
  EXPECT_THAT(Told(), ElementsAre("compaction_will_fail 19 [10]"));
  EXPECT_EQ(story_.report.findings.at(0).finding.key.log, "source 1");
}

/// C68: a log that is trimmed on purpose is switched off in the configuration, which leaves no
/// sink.
TEST_F(SinkLogs, AQueryWithoutAWatchedSinkHasNoLog) {
  Load("metadata_deleted/2-batch8");
  story_.sinks.clear();
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_THAT(QueryOf(story_.report).logs, IsEmpty());
}

/// A finding goes when the query's log is not watched any more, and not because it was not read.
TEST_F(SinkLogs, WhatIsNotWatchedAnyMoreIsOver) {
  Load("metadata_deleted/2-batch8");
  EXPECT_EQ(Told().size(), 2u);
  story_.sinks.clear();
  EXPECT_THAT(Told(), IsEmpty());
}

}  // namespace
}  // namespace tidegauge::testing
