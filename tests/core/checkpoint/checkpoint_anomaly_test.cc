// Faults of the storage and torn files, one by one: never a wrong position that looks healthy.
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checkpoint/snapshot.h"
#include "tests/core/checkpoint/topics_text.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/memory_storage.h"

namespace tidegauge {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using CheckpointPtr = std::shared_ptr<const Checkpoint>;

constexpr Time kNow{Duration(1'796'100'000'000)};
constexpr Time kNextPoll = kNow + std::chrono::minutes(1);

constexpr ErrorKind kAllKinds[] = {ErrorKind::kNotFound,    ErrorKind::kUnavailable,
                                   ErrorKind::kDenied,      ErrorKind::kCorrupt,
                                   ErrorKind::kUnsupported, ErrorKind::kInvalid};

/// A fixture, perhaps with files taken away.
struct Shape {
  const char* name;
  const char* fixture;
  std::array<const char*, 2> removed = {};

  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) {
    return out << shape.name;
  }
};

const Shape kShapes[] = {
    {"InFlight", "spark-3.5.1/reset_below/2-failed"},
    {"WentBack", "spark-3.5.1/reset_below/4-after"},
    {"AsynchronousProgress", "spark-3.5.1/async_progress/0"},
    {"Continuous", "spark-3.5.1/continuous/0"},
    {"UncommittedNewest", "spark-3.5.1/corrupt/no-commit"},
    {"PartitionsDropped", "spark-3.5.1/partitions/5-nofail"},
    {"ManyPartitions", "spark-3.5.1/topic_names/0"},
    {"Purged", "spark-3.5.1/trimmed_log/0"},
    {"ThreeSources", "spark-4.1.1/two_sources/0"},
    {"FirstBatchInFlight", "spark-4.1.1/two_sources/0", {"/c/commits/0"}},
    {"NoBatchYet", "spark-4.1.1/two_sources/0", {"/c/offsets/0", "/c/commits/0"}},
    {"OffsetLogV2", "spark-4.2.0/offset_log_v2"},
    {"CommitLogV2", "spark-4.2.0/commit_log_v2"},
};

class CheckpointAnomaly : public ::testing::TestWithParam<Shape> {
 protected:
  CheckpointAnomaly() { storage_.SetClock(kNow - std::chrono::hours(1)); }

  void SetUp() override {
    storage_.Load(std::string(TIDEGAUGE_FIXTURES) + "/" + GetParam().fixture + "/checkpoint", "/c");
    for (const char* path : GetParam().removed) {
      if (path != nullptr) storage_.Remove(path);
    }
    Settle();
  }

  /// Takes what the storage holds now for what is right.
  void Settle() {
    storage_.ResetCalls();
    const auto read = Read();
    ASSERT_TRUE(read) << read.error().message;
    right_ = *read;
    calls_ = storage_.Calls();
    ASSERT_THAT(right_->problems, IsEmpty());
  }

  Result<CheckpointPtr> Read(CheckpointPtr previous = nullptr, Time now = kNow) {
    return ReadCheckpoint(storage_, "/c", std::move(previous), now);
  }

  /// No offset that is not right, whether or not something is said to be wrong.
  bool SaysOnlyWhatIsRight(const Checkpoint& read) const {
    return std::ranges::all_of(read.position, [&](const SourceTopic& topic) {
      return std::ranges::find(right_->position, topic) != right_->position.end();
    });
  }

  bool IsRight(const Checkpoint& read) const {
    return read.position == right_->position && read.in_flight == right_->in_flight &&
           read.newest_batch == right_->newest_batch &&
           read.committed_batch == right_->committed_batch && read.continuous == right_->continuous;
  }

  void ExpectHonest(const Result<CheckpointPtr>& read, const std::string& what) const {
    if (!read) return;
    EXPECT_TRUE(IsRight(**read) || !(*read)->problems.empty())
        << what << ": " << TopicsText((*read)->position) << ", and no problem";
    EXPECT_TRUE(SaysOnlyWhatIsRight(**read)) << what << ": " << TopicsText((*read)->position);
  }

  /// After the fault is over the next poll knows everything.
  void ExpectRecovery(const Result<CheckpointPtr>& faulty, const std::string& what) {
    storage_.ClearFaults();
    const auto read = Read(faulty ? *faulty : nullptr, kNextPoll);
    ASSERT_TRUE(read) << what;
    EXPECT_TRUE(IsRight(**read)) << what;
    EXPECT_THAT((*read)->problems, IsEmpty()) << what;
    EXPECT_EQ((*read)->query_id, right_->query_id) << what;
    EXPECT_EQ((*read)->position_start, right_->position_start) << what;
  }

  void ReadWithFault(std::size_t number, ErrorKind kind, const CheckpointPtr& previous) {
    const std::string what = "call " + std::to_string(number) + " fails with kind " +
                             std::to_string(static_cast<int>(kind));
    storage_.ResetCalls();
    storage_.FailCall(number, kind);
    const auto read = Read(previous, kNextPoll);
    ExpectHonest(read, what);
    ExpectRecovery(read, what);
  }

  MemoryStorage storage_;
  CheckpointPtr right_;
  std::vector<StorageCall> calls_;
};

TEST_P(CheckpointAnomaly, AnyCallFailsInAnyWay) {
  for (std::size_t number = 1; number <= calls_.size() + 1; ++number) {
    for (const ErrorKind kind : kAllKinds) ReadWithFault(number, kind, nullptr);
  }
}

TEST_P(CheckpointAnomaly, AnyCallFailsAtALaterPoll) {
  const CheckpointPtr before = right_;
  storage_.SetClock(kNow + std::chrono::seconds(20));
  if (right_->newest_batch) CheckpointWriter(storage_, "/c").Commit(*right_->newest_batch);
  Settle();
  for (std::size_t number = 1; number <= calls_.size() + 1; ++number) {
    for (const ErrorKind kind : kAllKinds) ReadWithFault(number, kind, before);
  }
}

TEST_P(CheckpointAnomaly, AnyReadIsShort) {
  const std::vector<StorageCall> calls = calls_;
  for (const StorageCall& read : calls) {
    if (read.kind != StorageCall::Kind::kRead) continue;
    const std::size_t whole = storage_.TextOf(read.path).size();
    for (std::size_t size = 0; size < whole; ++size) {
      storage_.ResetCalls();
      storage_.OnRead([&](const StorageCall& call, std::string& text) {
        if (call.number == read.number) text.resize(size);
      });
      const std::string what = read.path + " cut to " + std::to_string(size);
      const auto result = Read();
      ExpectHonest(result, what);
      if (size % 16 == 0) ExpectRecovery(result, what);
    }
  }
}

TEST_P(CheckpointAnomaly, AnyFileIsTruncatedAtAnyByte) {
  const std::vector<std::string> asked = storage_.ReadPaths();
  for (const std::string& path : storage_.Files()) {
    const std::string whole = storage_.TextOf(path);
    const bool matters = std::ranges::find(asked, path) != asked.end();
    for (std::size_t size = 0; size < whole.size(); size += matters ? 1 : whole.size() / 3 + 1) {
      storage_.Write(path, whole.substr(0, size));
      ExpectHonest(Read(), path + " truncated to " + std::to_string(size));
    }
    storage_.Write(path, whole);
  }
}

TEST_P(CheckpointAnomaly, AnyFileIsRemovedAsItIsRead) {
  const std::vector<StorageCall> calls = calls_;
  for (const StorageCall& call : calls) {
    if (call.kind != StorageCall::Kind::kRead) continue;
    const std::string whole = storage_.TextOf(call.path);
    storage_.ResetCalls();
    storage_.VanishBefore(call.number, call.path);
    const auto read = Read();
    storage_.ClearFaults();
    // What is right has changed with the file: the same as reading what is left.
    const auto left = Read();
    EXPECT_EQ(read.has_value(), left.has_value()) << call.path;
    if (read && left) {
      EXPECT_EQ(TopicsText((*read)->position), TopicsText((*left)->position)) << call.path;
    }
    storage_.Write(call.path, whole);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CheckpointAnomaly, ::testing::ValuesIn(kShapes),
                         [](const auto& test) { return test.param.name; });

// ------------------------------------------------------------------ what nobody can tell

/// The sizes to which the only offsets file can be cut so that it still reads without a problem.
std::vector<std::size_t> UndetectedCuts(MemoryStorage& storage, const std::string& text) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size < text.size(); ++size) {
    storage.Write("/c/offsets/0", text.substr(0, size));
    const auto read = ReadCheckpoint(storage, "/c", nullptr, kNow);
    if (read && (*read)->problems.empty()) sizes.push_back(size);
  }
  return sizes;
}

TEST(UndetectableCut, BetweenTheLinesOfTheOnlyBatchWhenNothingElseNamesTheSources) {
  MemoryStorage storage;
  CheckpointWriter(storage, "/c").Metadata().Commit(0);
  const std::string text = OffsetsFile{.lines = {R"({"a":{"0":4}})", R"({"b":{"0":5}})"}}.Text();
  const std::size_t boundary = text.rfind('\n');
  EXPECT_THAT(UndetectedCuts(storage, text), ElementsAre(boundary, boundary + 1));
}

TEST(UndetectableCut, NotWhenSourcesNamesThem) {
  MemoryStorage storage;
  CheckpointWriter(storage, "/c")
      .Metadata()
      .Commit(0)
      .Initial("0", R"({"a":{"0":0}})")
      .Initial("1", R"({"b":{"0":0}})");
  const OffsetsFile file{.lines = {R"({"a":{"0":4}})", R"({"b":{"0":5}})"}};
  EXPECT_THAT(UndetectedCuts(storage, file.Text()), IsEmpty());
}

TEST(UndetectableCut, OfVersion2LooksLikeASourceThatHasNotBegun) {
  MemoryStorage storage;
  CheckpointWriter(storage, "/c")
      .Metadata()
      .Commit(0)
      .Initial("0", R"({"a":{"0":0}})")
      .Initial("1", R"({"b":{"0":1}})");
  const std::string text =
      OffsetsFile{.lines = {R"(0:{"a":{"0":4}})", R"(1:{"b":{"0":5}})"}, .version = 2}.Text();
  const std::size_t boundary = text.rfind('\n');
  EXPECT_THAT(UndetectedCuts(storage, text), ElementsAre(boundary, boundary + 1));
  storage.Write("/c/offsets/0", text.substr(0, boundary));
  const auto read = ReadCheckpoint(storage, "/c", nullptr, kNow);
  ASSERT_TRUE(read);
  EXPECT_EQ(TopicsText((*read)->position), "a[0=4]@0 b[0=1]@0");
}

}  // namespace
}  // namespace tidegauge
