#include "core/sinklog/log_view.h"

#include <string>

#include <gmock/gmock.h>

#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class LogViewTest : public ::testing::Test {
 protected:
  void Files(const std::vector<std::string>& names, const std::string& text = "v1") {
    storage_.MakeDirectory("/out/_spark_metadata");
    for (const std::string& name : names) storage_.Write("/out/_spark_metadata/" + name, text);
  }
  void Range(BatchId first, BatchId last) {
    for (BatchId batch = first; batch <= last; ++batch) Files({std::to_string(batch)});
  }
  void At(std::optional<BatchId> planned, std::optional<BatchId> committed) {
    checkpoint_.newest_batch = planned;
    checkpoint_.committed_batch = committed;
  }
  /// Batches were planned a minute apart, the newest one just now.
  void Steady() {
    for (BatchId batch = *checkpoint_.newest_batch - 5; batch <= *checkpoint_.newest_batch;
         ++batch) {
      checkpoint_.batch_times.push_back({batch, Time(batch * 1min)});
    }
    checkpoint_.newest_batch_at = now_ = checkpoint_.batch_times.back().planned_at;
  }
  LogView View() {
    const QueryLogs logs = ReadLogs(storage_, checkpoint_, "/out", {.sink = setting_}, {}, now_);
    return ViewLogs(logs, checkpoint_, now_).at(0);
  }

  MemoryStorage storage_;
  Checkpoint checkpoint_{.path = "/c"};
  std::int64_t setting_ = 0;
  Time now_;
};

TEST_F(LogViewTest, ABatchInFlightMayHaveItsFileAlready) {
  Range(0, 4);
  At(4, 3);
  const LogView view = View();
  EXPECT_EQ(view.next_batch, 4);
  EXPECT_FALSE(view.ahead);
  EXPECT_EQ(view.failing(), nullptr);
  EXPECT_EQ(view.restarted.batch, 9);
}

TEST_F(LogViewTest, AheadIsWhatNoBatchWasPlannedFor) {
  Range(0, 3);
  At(2, 2);
  EXPECT_TRUE(View().ahead);
  At(3, 2);
  EXPECT_FALSE(View().ahead);
  At(std::nullopt, std::nullopt);
  EXPECT_TRUE(View().ahead) << "the checkpoint was deleted";
}

TEST_F(LogViewTest, AQueryThatWentOnMeanwhileIsNotBehind) {
  Range(0, 3);
  At(2, 2);
  storage_.Write("/c/offsets/3", "");
  EXPECT_FALSE(View().ahead);
  storage_.Remove("/c/offsets/3");
  EXPECT_TRUE(View().ahead);
  storage_.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (call.path != "/c/offsets") return std::nullopt;
    return Error{ErrorKind::kUnavailable, "silent"};
  });
  EXPECT_FALSE(View().ahead) << "unknown is no alarm";
}

TEST_F(LogViewTest, WhenTheLogIsGoneTheNextCompactionLacksAllBatchesBefore) {
  Files({});
  At(1, 1);
  const LogView view = View();
  EXPECT_EQ(view.restarted.batch, 9);
  EXPECT_EQ(view.restarted.batches_left, 8);
  EXPECT_THAT(view.restarted.lacking.names, ElementsAre("0", "1"));
  EXPECT_TRUE(view.gap.empty()) << "a log without files has no readers that fail";
}

TEST_F(LogViewTest, BeforeTheFirstBatchNothingIsLacking) {
  Files({});
  EXPECT_EQ(View().failing(), nullptr);
  At(0, std::nullopt);
  EXPECT_EQ(View().failing(), nullptr) << "batch 0 is run again";
}

TEST_F(LogViewTest, FilesLostAtTheEndAreLackingToo) {
  Range(0, 5);
  At(8, 8);
  const LogView view = View();
  EXPECT_THAT(view.restarted.lacking.names, ElementsAre("6", "7", "8"));
  EXPECT_THAT(view.gap.names, ElementsAre("6", "7", "8"));
  EXPECT_EQ(view.restarted.batches_left, 1);
}

TEST_F(LogViewTest, AFileUnderTheOtherNameIsLacking) {
  Range(0, 12);
  At(12, 12);
  setting_ = 10;
  EXPECT_THAT(View().restarted.lacking.names, ElementsAre("9.compact"));
}

TEST_F(LogViewTest, AnUnreadableFileIsLackingForTheCompaction_ButNotAbsent) {
  Range(0, 4);
  Files({"2"}, "");
  At(4, 4);
  const LogView view = View();
  EXPECT_THAT(view.restarted.lacking.names, ElementsAre("2"));
  EXPECT_EQ(view.restarted.absent, 0u);
  EXPECT_TRUE(view.gap.empty());
  EXPECT_EQ(view.Missing(), 0u);
}

TEST_F(LogViewTest, ALostCompactFileChangesTheIntervalOfARestartOnly) {
  Files({"9.compact", "29.compact"});
  Range(20, 28);
  Range(30, 33);
  At(33, 33);
  const LogView view = View();
  EXPECT_EQ(view.restarted.interval, 20);
  EXPECT_EQ(view.restarted.batch, 39);
  EXPECT_THAT(view.restarted.lacking.names, ElementsAre("19.compact", "29"));
  ASSERT_TRUE(view.running);
  EXPECT_EQ(view.running->interval, 10);
  EXPECT_TRUE(view.running->lacking.empty()) << "29.compact and what came after it";
  EXPECT_EQ(view.failing(), &view.restarted);
}

TEST_F(LogViewTest, WhereBothFailTheEarlierCounts) {
  Files({"19.compact"});
  Files({"20", "22"});
  At(22, 22);
  const LogView view = View();
  EXPECT_EQ(view.restarted.interval, 20);
  ASSERT_TRUE(view.running);
  EXPECT_EQ(view.running->interval, 10);
  EXPECT_EQ(view.failing()->batch, 29);
  EXPECT_THAT(view.failing()->lacking.names, ElementsAre("21"));
}

TEST_F(LogViewTest, ADriverThatPassedACompactionHasNotThatInterval) {
  Files({"19.compact"});
  Range(20, 29);
  At(29, 29);
  EXPECT_FALSE(View().running) << "29 would be 29.compact";
}

TEST_F(LogViewTest, ExpectedWhenTheRhythmSays) {
  Range(2, 8);
  At(8, 8);
  Steady();
  EXPECT_EQ(View().restarted.expected_at, Time(9min));
  now_ += 4min;
  EXPECT_EQ(View().restarted.expected_at, std::nullopt) << "the query has stopped";
  checkpoint_.batch_times.clear();
  EXPECT_EQ(View().restarted.expected_at, std::nullopt);
}

TEST_F(LogViewTest, AMillionLostFilesAreCounted) {
  Files({"1000000"});
  setting_ = 1'000'000;
  At(1'000'000, 1'000'000);
  const LogView view = View();
  EXPECT_EQ(view.gap.count, 1u) << "999999.compact";
  storage_.Remove("/out/_spark_metadata/1000000");
  Files({"999998"});
  At(999'998, 999'998);
  EXPECT_EQ(View().gap.count, 999'998u);
  EXPECT_EQ(View().gap.names.size(), kMostNamed);
}

TEST_F(LogViewTest, WhatCouldNotBeReadIsUnknown) {
  storage_.OnCall([](const StorageCall& call) -> std::optional<Error> {
    return Error{ErrorKind::kDenied, call.path + ": permission denied"};
  });
  At(3, 3);
  const LogView view = View();
  EXPECT_EQ(view.log, nullptr);
  EXPECT_EQ(view.error, "/out/_spark_metadata: permission denied");
}

}  // namespace
}  // namespace tidegauge::testing
