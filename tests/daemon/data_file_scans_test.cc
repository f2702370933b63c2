#include "daemon/data_file_scans.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sinklog/query_logs.h"
#include "daemon/storage/local_storage.h"
#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

constexpr int kFiles = 5;

class DataFileScansTest : public ::testing::Test {
 protected:
  DataFileScansTest() {
    std::string log = "v1";
    for (int i = 0; i < kFiles; ++i) {
      directory_.Write(fmt::format("out/part-{}", i), "rows");
      log += fmt::format(
          "\n{{\"path\":\"file://{}\",\"size\":4,\"isDir\":false,\"modificationTime\":1,"
          "\"blockReplication\":1,\"blockSize\":1,\"action\":\"add\"}}",
          directory_ / fmt::format("out/part-{}", i));
    }
    directory_.Write("out/_spark_metadata/0", log);
    target_ = {
        .query = "orders", .checkpoint = "/q", .sink = directory_ / "out", .scan_data_files = true};
    options_.limits.files = 2;
  }

  /// One poll; what is known of the query's data files after it.
  std::optional<DataFileScanView> Step(DataFileScans& scans) {
    now_ += 30s;
    std::vector<Reading> readings{{.target = target_, .checkpoint = ReadCheckpoint()}};
    if (readings[0].checkpoint) {
      readings[0].logs = ReadLogs(storage_, **readings[0].checkpoint, target_.sink, {}, {}, now_);
    }
    scans.Step(readings, now_);
    return readings[0].data_files;
  }
  Result<std::shared_ptr<const Checkpoint>> ReadCheckpoint() const {
    if (!checkpoint_is_read_) return Fail(ErrorKind::kUnavailable, "no answer");
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->newest_batch = checkpoint->committed_batch = 0;
    return checkpoint;
  }

  TempDirectory directory_;
  LocalStorage storage_;
  DataFileScans::Options options_;
  Target target_;
  bool checkpoint_is_read_ = true;
  Time now_ = std::chrono::floor<Duration>(std::chrono::system_clock::now());
};

TEST_F(DataFileScansTest, GoOnFromPollToPoll) {
  DataFileScans scans(options_);
  for (int looked_at = 2; looked_at < kFiles; looked_at += 2) {
    const auto view = Step(scans);
    ASSERT_TRUE(view);
    EXPECT_EQ(view->last, nullptr);
    EXPECT_GT(view->progress, 0);
    EXPECT_LT(view->progress, 1);
  }
  const auto view = Step(scans);
  ASSERT_TRUE(view && view->last);
  EXPECT_EQ(view->last->listed, static_cast<std::uint64_t>(kFiles));
  EXPECT_EQ(view->last->missing.count, 0u);
}

TEST_F(DataFileScansTest, WhoPollsOnceLooksAtAllAtOnce) {
  options_.at_once = true;
  DataFileScans scans(options_);
  const auto view = Step(scans);
  ASSERT_TRUE(view && view->last);
  EXPECT_EQ(view->last->listed, static_cast<std::uint64_t>(kFiles));
}

TEST_F(DataFileScansTest, OfAQueryThatWantsNoneNothingIsSaid) {
  DataFileScans scans(options_);
  target_.scan_data_files = false;
  EXPECT_FALSE(Step(scans));
}

TEST_F(DataFileScansTest, WhatIsKnownIsKeptWhileTheCheckpointIsNotRead) {
  DataFileScans scans(options_);
  const double progress = Step(scans)->progress;
  checkpoint_is_read_ = false;
  const auto view = Step(scans);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->progress, progress);
}

TEST_F(DataFileScansTest, ASwitchedOffScanIsForgotten) {
  options_.limits.files = 100;
  DataFileScans scans(options_);
  EXPECT_NE(Step(scans)->last, nullptr);
  target_.scan_data_files = false;
  Step(scans);
  target_.scan_data_files = true;
  checkpoint_is_read_ = false;
  EXPECT_EQ(Step(scans)->last, nullptr);
}

}  // namespace
}  // namespace tidegauge
