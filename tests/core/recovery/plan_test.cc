#include "core/recovery/plan.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/detectors/all.h"

namespace tidegauge {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Finding FindingOf(std::string kind) {
  return {.key = {.kind = std::move(kind), .query = "q", .topic = "t"},
          .records = 300,
          .partitions = {{0, 500, 10, 300, 290}},
          .summary = "what happened"};
}

/// A query that has committed batch 5 at offset 500 of t.
class PlanTest : public ::testing::Test {
 protected:
  Plan Make() {
    return MakePlan({.query = query,
                     .findings = findings,
                     .site = Site("/data/q", "/out", hdfs_mount),
                     .options = "--config.file=/etc/tidegauge/tidegauge.yaml",
                     .bootstrap_servers = "broker:9092",
                     .offsets_text = text,
                     .logs = {{.name = "sink",
                               .directory = "/out/_spark_metadata",
                               .exists = true,
                               .newest = sink_has,
                               .lost = {"0", "9.compact"},
                               .fitting_interval = fitting_interval,
                               .rebuilt = RebuiltLog{{{"_spark_metadata/0", "v1"}}, 3, root},
                               .beyond = {"7"}}},
                     .data_files = data_files});
  }
  static bool IsOfALog(std::string_view kind) {
    return kind.starts_with("sink_") || kind.starts_with("compact");
  }
  Remedy Find(const std::string& id) {
    const Plan plan = Make();
    for (const Remedy& remedy : plan.findings.at(0).remedies) {
      if (remedy.id == id) return remedy;
    }
    ADD_FAILURE() << "no remedy " << id;
    return {};
  }
  static std::vector<std::string> CommandsOf(const Remedy& remedy) {
    std::vector<std::string> commands;
    for (const PlanStep& step : remedy.steps) {
      std::ranges::copy(step.commands, std::back_inserter(commands));
    }
    return commands;
  }

  QueryReport query{
      .query = "q",
      .checkpoint = "/data/q",
      .kafka_cluster = "main",
      .newest_batch = 5,
      .committed_batch = 5,
      .topics = {
          {.topic = "t", .presence = TopicPresence::kPresent, .partitions = {{0, 500, 10, 300}}}}};
  std::vector<Finding> findings{FindingOf("topic_recreated")};
  DataFileInput data_files;
  std::string hdfs_mount;
  std::string root = "file:///out";
  std::optional<BatchId> sink_has;
  std::optional<std::int64_t> fitting_interval;
  std::string text = "v1\n{}\n{\"t\":{\"0\":500}}";
};

TEST_F(PlanTest, TheCorrectedFileStartsAtTheLogStart) {
  const Plan plan = Make();
  ASSERT_THAT(plan.files, SizeIs(2));
  EXPECT_EQ(plan.files[0].name, "offsets/5");
  EXPECT_EQ(plan.files[0].content, "v1\n{}\n{\"t\":{\"0\":10}}");
  EXPECT_THAT(CommandsOf(Find("correct_offsets")),
              Contains("cp \"${PLAN:?}\"/offsets/5 /data/q/offsets/5"));
}

TEST_F(PlanTest, ABatchThatIsNotFinishedGoesAndTheOneBeforeIsCorrected) {
  query.newest_batch = 6;
  EXPECT_EQ(Make().files.at(0).name, "offsets/5");
  const auto commands = CommandsOf(Find("correct_offsets"));
  EXPECT_THAT(commands, Contains("rm -f /data/q/offsets/6"));
}

TEST_F(PlanTest, AnUnfinishedBatchThatTheSinkHasForbidsTheCorrection) {
  query.newest_batch = 6;
  sink_has = 6;
  EXPECT_THAT(Make().files, SizeIs(1)) << "the sink's alone";
  sink_has = 5;
  EXPECT_THAT(Make().files, SizeIs(2));
}

TEST_F(PlanTest, WithoutACommitThereIsNothingToCorrect) {
  query.committed_batch.reset();
  text.clear();
  const Plan plan = Make();
  EXPECT_THAT(plan.files, SizeIs(1)) << "the sink's alone";
  ASSERT_THAT(plan.findings[0].remedies, SizeIs(1));
  EXPECT_EQ(plan.findings[0].remedies[0].id, "new_checkpoint");
}

TEST_F(PlanTest, ACommitFarBehindIsNoBasisForACorrection) {
  query.newest_batch = 8;
  EXPECT_FALSE(FindBatchesToCorrect(query).change);
  query.newest_batch = 4;
  EXPECT_FALSE(FindBatchesToCorrect(query).change);
}

TEST_F(PlanTest, OneFileMendsAllFindings) {
  findings = {FindingOf("topic_recreated"), FindingOf("partition_missing")};
  findings[1].partitions = {{.partition = 1, .checkpoint = 70}};
  text = "v1\n{}\n{\"t\":{\"0\":500,\"1\":70}}";
  const Plan plan = Make();
  ASSERT_THAT(plan.files, SizeIs(2));
  EXPECT_EQ(plan.files[0].content, "v1\n{}\n{\"t\":{\"0\":10}}");
}

TEST_F(PlanTest, AFileThatCannotBeCorrectedIsToldAndAnotherWayStays) {
  text = "v1\n{";
  const Plan plan = Make();
  EXPECT_THAT(plan.files, SizeIs(1)) << "the sink's alone";
  EXPECT_THAT(plan.unknown, ElementsAre(HasSubstr("offsets/5: ")));
  EXPECT_EQ(plan.findings[0].remedies.at(0).id, "new_checkpoint");
}

TEST_F(PlanTest, TwoSourcesThatReadATopicDifferentlyAreNotCorrected) {
  findings[0].key.source = "1";
  EXPECT_THAT(Make().files, SizeIs(1)) << "the sink's alone";
}

TEST_F(PlanTest, ANewCheckpointGoesOnWhereNothingIsWrong) {
  query.topics.push_back({.topic = "u", .partitions = {{0, 7, 0, 9}, {1, {}, 0, 4}}});
  EXPECT_THAT(Find("new_checkpoint").steps[1].what,
              HasSubstr(R"({"t":{"0":10},"u":{"0":7,"1":-2}})"));
}

TEST_F(PlanTest, OnHdfsPathsAreThoseBehindTheMount) {
  hdfs_mount = "/data";
  const auto commands = CommandsOf(Find("correct_offsets"));
  EXPECT_THAT(commands, Contains("hdfs dfs -put -f - /q/offsets/5 < \"${PLAN:?}\"/offsets/5"));
  EXPECT_THAT(commands, Contains(HasSubstr("-chown")));
  EXPECT_THAT(commands, Not(Contains(HasSubstr("/data/q"))));
}

TEST_F(PlanTest, EveryKindThatIsFoundHasAWayOut) {
  for (const DetectorPtr& detector : AllDetectors()) {
    findings = {FindingOf(std::string(detector->info().id))};
    if (IsOfALog(detector->info().id)) findings[0].key.log = "sink";
    const Plan plan = Make();
    EXPECT_THAT(plan.findings[0].remedies, Not(IsEmpty())) << detector->info().id;
    for (const Remedy& remedy : plan.findings[0].remedies) {
      EXPECT_FALSE(remedy.title.empty() || remedy.cost.empty() || remedy.steps.empty());
    }
  }
}

TEST_F(PlanTest, LostLogFilesAreRestoredRebuiltOrStoodInFor) {
  findings = {FindingOf("compaction_will_fail")};
  findings[0].key.log = "sink";
  findings[0].batch = 9;
  std::vector<std::string> ids;
  const Plan plan = Make();
  for (const Remedy& remedy : plan.findings[0].remedies) ids.push_back(remedy.id);
  EXPECT_THAT(ids, ElementsAre("restore", "rebuild", "stand_ins", "defer"));
  EXPECT_THAT(CommandsOf(Find("rebuild")),
              Contains("cp \"${PLAN:?}\"/_spark_metadata/0 /out/_spark_metadata/0"));
  EXPECT_THAT(CommandsOf(Find("stand_ins")),
              Contains("printf %s v1 > /out/_spark_metadata/9.compact"));
  hdfs_mount = "/out/";
  EXPECT_THAT(CommandsOf(Find("stand_ins")),
              Contains("printf %s v1 | hdfs dfs -put -f - /_spark_metadata/9.compact"));
}

TEST_F(PlanTest, AnIntervalThatDoesNotFitIsSetBackFirst) {
  findings = {FindingOf("compaction_will_fail")};
  findings[0].key.log = "sink";
  findings[0].batch = 9;
  fitting_interval = 13;
  std::vector<std::string> ids;
  const Plan plan = Make();
  for (const Remedy& remedy : plan.findings[0].remedies) ids.push_back(remedy.id);
  EXPECT_THAT(ids, ElementsAre("fit_interval", "rebuild", "stand_ins"));
  EXPECT_THAT(Find("fit_interval").steps[0].what,
              HasSubstr("--conf spark.sql.streaming.fileSink.log.compactInterval=13"));
}

TEST_F(PlanTest, ARebuiltLogGetsTheNameOfHdfsOnlyWhereNothingTellsIt) {
  findings = {FindingOf("sink_log_gap")};
  findings[0].key.log = "sink";
  root = "hdfs://nn:8020/out";
  EXPECT_THAT(CommandsOf(Find("rebuild")), Not(Contains(HasSubstr("getconf"))));
  root = "hdfs:///out";
  EXPECT_THAT(CommandsOf(Find("rebuild")), Contains(HasSubstr("getconf")));
}

TEST_F(PlanTest, ASinkAheadOfItsCheckpointIsSetBackOnlyWhereTheRestIsWhole) {
  findings = {FindingOf("sink_ahead_of_checkpoint")};
  findings[0].key.log = "sink";
  EXPECT_THAT(CommandsOf(Find("set_back")), Contains("rm -f /out/_spark_metadata/7"));
}

TEST_F(PlanTest, EntriesOfLostDataFilesAreTakenOutOfTheFilesThatListThem) {
  findings = {FindingOf("sink_file_missing")};
  findings[0].key.log = "sink";
  findings[0].missing = {"part-0"};
  EXPECT_THAT(Make().findings[0].remedies, SizeIs(2)) << "where they are listed is not known";
  data_files = {.directory = "/out/_spark_metadata",
                .wrong = {"9.compact"},
                .entries = "/out/part-0\"\n",
                .outside = {},
                .new_paths = {},
                .problem = {}};
  const auto commands = CommandsOf(Find("take_out_entries"));
  EXPECT_THAT(commands,
              Contains("cat \"${PLAN:?}\"/backup/_spark_metadata/9.compact | grep -vFf "
                       "\"${PLAN:?}\"/entries_to_take_out | head -c -1 > \"${PLAN:?}\"/9.compact"));
  EXPECT_THAT(commands, Contains("test -s \"${PLAN:?}\"/backup/_spark_metadata/9.compact"));
  EXPECT_THAT(commands, Contains("cp \"${PLAN:?}\"/9.compact /out/_spark_metadata/9.compact"));
  const Plan plan = Make();
  EXPECT_EQ(plan.files.back().name, "entries_to_take_out");
  EXPECT_EQ(plan.files.back().content, "/out/part-0\"\n");
}

TEST_F(PlanTest, OrphansAreMovedAwayFolderByFolder) {
  findings = {FindingOf("sink_orphan_files")};
  findings[0].key.log = "sink";
  findings[0].missing = {"day=1/part-0", "day=1/part-1", "part-2"};
  const auto commands = CommandsOf(Find("move_away"));
  EXPECT_THAT(commands,
              Contains("cp -a /out/day=1/part-0 /out/day=1/part-1 \"${PLAN:?}/backup\"/day=1"));
  EXPECT_THAT(commands, Contains("cp -a /out/part-2 \"${PLAN:?}/backup\""));
  EXPECT_THAT(commands, Contains("rm -f /out/day=1/part-0 /out/day=1/part-1"));
}

TEST_F(PlanTest, LostDataFilesAreLookedForByOneCommand) {
  findings = {FindingOf("sink_file_missing")};
  findings[0].key.log = "sink";
  findings[0].missing = {"day=1/part-0", "part-1"};
  EXPECT_THAT(CommandsOf(Find("restore_files")), Contains("ls /out/day=1/part-0 /out/part-1"));
  hdfs_mount = "/out";
  EXPECT_THAT(CommandsOf(Find("restore_files")), Contains("hdfs dfs -ls /day=1/part-0 /part-1"));
}

TEST(Quote, MakesOneWordOfAnything) {
  EXPECT_EQ(Quote("/data/a-b_c.1"), "/data/a-b_c.1");
  EXPECT_EQ(Quote("it's $HOME `x`"), "'it'\\''s $HOME `x`'");
  EXPECT_EQ(Quote(""), "''");
  EXPECT_EQ(Quote("~/x"), "'~/x'");
}

}  // namespace
}  // namespace tidegauge
