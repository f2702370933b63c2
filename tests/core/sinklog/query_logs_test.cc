#include "core/sinklog/query_logs.h"

#include <gmock/gmock.h>

#include "core/sinklog/log_view.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class QueryLogsTest : public ::testing::Test {
 protected:
  QueryLogsTest() {
    storage_.Write("/c/sources/0/0", std::string("\0v1\n{\"t\":{\"0\":0}}", 17));
    for (const std::string name : {"0", "1", "2"}) {
      storage_.Write("/c/sources/1/" + name, R"(v1
{"path":"file:///in/f","timestamp":1700000001000,"batchId":0})");
    }
    storage_.Write("/c/sources/2/0", "v1\n1796009963812");
    storage_.MakeDirectory("/c/sources/.tmp");
    checkpoint_.newest_batch = checkpoint_.committed_batch = 7;
    checkpoint_.unmonitored_sources = 2;
  }

  QueryLogs Read(const QueryLogs& previous = {}) {
    return ReadLogs(storage_, checkpoint_, "", {.source = setting_}, previous,
                    Time(std::chrono::hours(1)));
  }
  std::vector<std::string> Names(const std::vector<LogView>& views) {
    std::vector<std::string> names;
    for (const LogView& view : views) names.push_back(view.name);
    return names;
  }

  /// The only files of the source's log.
  void Log(const std::vector<std::string>& compacts, BatchId first, BatchId last) {
    for (const std::string name : {"0", "1", "2"}) storage_.Remove("/c/sources/1/" + name);
    const std::string text = R"(v1
{"path":"file:///in/f","timestamp":1700000001000,"batchId":0})";
    for (const std::string& name : compacts) storage_.Write("/c/sources/1/" + name, text);
    for (BatchId batch = first; batch <= last; ++batch) {
      storage_.Write("/c/sources/1/" + std::to_string(batch), text);
    }
  }

  MemoryStorage storage_;
  Checkpoint checkpoint_{.path = "/c"};
  std::int64_t setting_ = 0;
};

TEST_F(QueryLogsTest, AFileSourcesLogIsKnownByItsEntries) {
  const auto views = ViewLogs(Read(), checkpoint_, Time());
  ASSERT_THAT(Names(views), ElementsAre("source 1"));
  EXPECT_EQ(views[0].newest, 2);
  EXPECT_EQ(views[0].next_batch, 3) << "its own numbers, not the query's";
  EXPECT_EQ(views[0].failing(), nullptr);
}

TEST_F(QueryLogsTest, ALostFileOfItFailsTheNextCompaction) {
  storage_.Remove("/c/sources/1/0");
  const auto views = ViewLogs(Read(), checkpoint_, Time());
  ASSERT_THAT(views, SizeIs(1));
  ASSERT_NE(views[0].failing(), nullptr);
  EXPECT_EQ(views[0].failing()->batch, 9);
  EXPECT_EQ(views[0].failing()->batches_left, 7);
  EXPECT_THAT(views[0].failing()->lacking.names, ElementsAre("0"));
  EXPECT_THAT(views[0].gap.names, ElementsAre("0"));
}

TEST_F(QueryLogsTest, AHoleIsALoss_BeforeTheFirstCompactionAndAfterIt) {
  storage_.Remove("/c/sources/1/1");
  const auto views = ViewLogs(Read(), checkpoint_, Time());
  ASSERT_NE(views.at(0).failing(), nullptr);
  EXPECT_EQ(views.at(0).failing()->batch, 9);
  EXPECT_THAT(views.at(0).failing()->lacking.names, ElementsAre("1"));
  EXPECT_THAT(views.at(0).gap.names, ElementsAre("1"));
  for (const std::string name : {"9.compact", "11"}) {
    storage_.Write("/c/sources/1/" + name, storage_.TextOf("/c/sources/1/0"));
  }
  EXPECT_THAT(ViewLogs(Read(), checkpoint_, Time()).at(0).failing()->lacking.names,
              ElementsAre("10"));
}

TEST_F(QueryLogsTest, AFileSourceThatCompactsAtAnotherIntervalIsNotJudgedByTheDefault) {
  for (int i = 3; i <= 12; ++i) {
    storage_.Write("/c/sources/1/" + std::to_string(i), storage_.TextOf("/c/sources/1/0"));
  }
  const auto views = ViewLogs(Read(), checkpoint_, Time());
  EXPECT_EQ(views.at(0).failing(), nullptr) << "9 would be 9.compact at the default of 10";
  EXPECT_TRUE(views.at(0).gap.empty());
}

TEST_F(QueryLogsTest, AConfiguredIntervalOfTheSourceIsTheOneThatCounts) {
  setting_ = 4;
  storage_.Remove("/c/sources/1/2");
  storage_.Write("/c/sources/1/3.compact", storage_.TextOf("/c/sources/1/0"));
  storage_.Write("/c/sources/1/5", storage_.TextOf("/c/sources/1/0"));
  const auto views = ViewLogs(Read(), checkpoint_, Time());
  EXPECT_EQ(views.at(0).restarted.interval, 4);
  EXPECT_EQ(views.at(0).failing()->batch, 7);
  EXPECT_THAT(views.at(0).failing()->lacking.names, ElementsAre("4"));
}

// Spark would derive 10 from a lone 29.compact with the default, but has 30 with the configured 30.
TEST_F(QueryLogsTest, ALongIntervalThatIsConfiguredIsNoLoss_ToldOrNot) {
  Log({"29.compact"}, 30, 42);
  EXPECT_EQ(ViewLogs(Read(), checkpoint_, Time()).at(0).failing(), nullptr) << "39 for 39.compact";
  EXPECT_TRUE(ViewLogs(Read(), checkpoint_, Time()).at(0).gap.empty());
  setting_ = 30;
  const auto views = ViewLogs(Read(), checkpoint_, Time());
  EXPECT_EQ(views.at(0).failing(), nullptr);
  EXPECT_EQ(views.at(0).restarted.batch, 59);
  setting_ = 10;
  EXPECT_THAT(ViewLogs(Read(), checkpoint_, Time()).at(0).failing()->lacking.names,
              ElementsAre("39.compact"))
      << "a restart with the interval that is told would need it";
}

TEST_F(QueryLogsTest, ALossAfterALoneCompactFileIsOneAllTheSame) {
  Log({"29.compact"}, 31, 33);
  EXPECT_THAT(ViewLogs(Read(), checkpoint_, Time()).at(0).failing()->lacking.names,
              ElementsAre("30"));
}

TEST_F(QueryLogsTest, AnotherSettingIsReadAnew) {
  const QueryLogs before = Read();
  setting_ = 4;
  EXPECT_EQ((*Read(before).sources[1].log)->interval, 4);
}

TEST_F(QueryLogsTest, AQueryThatReadsNothingButKafkaCostsNothing) {
  checkpoint_.unmonitored_sources = 0;
  EXPECT_THAT(Read().sources, IsEmpty());
  EXPECT_EQ(storage_.CallCount(), 0u);
}

TEST_F(QueryLogsTest, UnchangedNothingIsReadAgain) {
  const QueryLogs first = Read();
  storage_.ResetCalls();
  const QueryLogs second = Read(first);
  EXPECT_EQ(storage_.CallCount(StorageCall::Kind::kRead), 0u);
  EXPECT_EQ(*second.sources[1].log, *first.sources[1].log);
}

TEST_F(QueryLogsTest, WhatCannotBeReadIsUnknown) {
  storage_.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (!call.path.starts_with("/c/sources/1")) return std::nullopt;
    return Error{ErrorKind::kDenied, "denied"};
  });
  auto views = ViewLogs(Read(), checkpoint_, Time());
  ASSERT_THAT(Names(views), ElementsAre("source 1"));
  EXPECT_EQ(views[0].error, "denied");
  storage_.FailCall(1, ErrorKind::kUnavailable);
  storage_.ResetCalls();
  views = ViewLogs(Read(), checkpoint_, Time());
  ASSERT_THAT(Names(views), ElementsAre("sources"));
  EXPECT_EQ(views[0].log, nullptr);
}

}  // namespace
}  // namespace tidegauge::testing
