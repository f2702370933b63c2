#include "core/checkpoint/fingerprint.h"

#include <chrono>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/checkpoint/checkpoint_fixture.h"

namespace tidegauge {
namespace {

using namespace testing;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class Fingerprint : public CheckpointFixture {
 protected:
  Fingerprint() {
    write_.Metadata().Initial("0", T(0));
    for (BatchId batch = 0; batch < 50; ++batch) write_.Batch(batch, {T(batch * 10)});
  }

  /// What the next poll, a minute later, does.
  std::shared_ptr<const Checkpoint> ReadAgain(std::shared_ptr<const Checkpoint> previous) {
    storage_.ResetCalls();
    return MustRead(std::move(previous), kNow + minutes(1));
  }
};

TEST_F(Fingerprint, UnchangedCostsAHandfulOfStats) {
  const auto first = MustRead();
  const auto second = ReadAgain(first);
  EXPECT_EQ(second, first) << "the same object";
  EXPECT_LE(storage_.CallCount(), 8u);
  EXPECT_EQ(storage_.CallCount(StorageCall::Kind::kStat), storage_.CallCount());
}

TEST_F(Fingerprint, ANewBatchIsAllThatIsRead) {
  const auto first = MustRead();
  storage_.SetClock(kNow + seconds(30));
  write_.Batch(50, {T(500)});
  const auto second = ReadAgain(first);
  EXPECT_EQ(OnlyOffset(second->position), 500);
  EXPECT_THAT(storage_.ReadPaths(), UnorderedElementsAre("/c/offsets/50", "/c/commits/50"));
  EXPECT_EQ(second->batch_times.size(), 51u);
}

TEST_F(Fingerprint, ABatchBegins) {
  const auto first = MustRead();
  storage_.SetClock(kNow + seconds(30));
  write_.Offsets(50, {T(500)});
  const auto second = ReadAgain(first);
  EXPECT_EQ(OnlyOffset(second->position), 490);
  EXPECT_EQ(OnlyOffset(second->in_flight), 500);
  EXPECT_THAT(storage_.ReadPaths(),
              UnorderedElementsAre("/c/offsets/50", "/c/commits/49", "/c/offsets/48"))
      << "the new one, whether the commit can be read, and where the position began";
}

TEST_F(Fingerprint, IncrementalIsTheSameAsFromTheStart) {
  std::shared_ptr<const Checkpoint> previous;
  for (BatchId batch = 50; batch < 60; ++batch) {
    storage_.SetClock(kNow + minutes(batch));
    write_.Offsets(batch, {T(batch == 55 ? 4 : batch * 10)});
    previous = MustRead(previous, kNow + minutes(batch) + seconds(20));
    EXPECT_EQ(previous->steps, MustRead()->steps) << batch;
    EXPECT_EQ(previous->batch_times, MustRead()->batch_times) << batch;
    EXPECT_EQ(previous->position, MustRead()->position) << batch;
    EXPECT_EQ(previous->position_start, MustRead()->position_start) << batch;
    EXPECT_EQ(previous->in_flight, MustRead()->in_flight) << batch;
    write_.Commit(batch);
  }
  ASSERT_EQ(previous->steps.size(), 1u);
  EXPECT_EQ(previous->steps[0].batch, 55);
}

TEST_F(Fingerprint, AnEditedPositionIsNoticedThoughTheDirectoryIsAsBefore) {
  const auto first = MustRead();
  const auto directory_status = storage_.Stat("/c/offsets");
  storage_.SetClock(kNow + seconds(30));
  write_.Offsets(49, {T(123)});
  ASSERT_EQ(storage_.Stat("/c/offsets"), directory_status);
  EXPECT_EQ(OnlyOffset(ReadAgain(first)->position), 123);
}

TEST_F(Fingerprint, WhatComesAfterAnEditIsComparedWithTheEdit) {
  const auto first = MustRead();
  storage_.SetClock(kNow + seconds(30));
  write_.Offsets(49, {T(0)}).Batch(50, {T(300)});
  const auto second = ReadAgain(first);
  ASSERT_EQ(second->steps.size(), 1u) << "48 to 49 goes back, 49 to 50 does not";
  EXPECT_EQ(second->steps[0].batch, 49);
}

TEST_F(Fingerprint, AnEditOfTheInitialOffsetsIsNoticed) {
  MemoryStorage storage;
  CheckpointWriter(storage, "/c").Metadata().Initial("0", T(3)).Offsets(0, {T(5)});
  const auto first = ReadCheckpoint(storage, "/c", nullptr, kNow);
  ASSERT_TRUE(first);
  storage.SetClock(kNow + seconds(30));
  CheckpointWriter(storage, "/c").Initial("0", T(4));
  const auto second = ReadCheckpoint(storage, "/c", *first, kNow + minutes(1));
  ASSERT_TRUE(second);
  EXPECT_EQ(OnlyOffset((*second)->position), 4);
}

TEST_F(Fingerprint, WhatAppearsIsNoticed) {
  for (const char* name : {"metadata", "commits", "sources"}) {
    storage_.Remove(std::string("/c/") + name);
  }
  storage_.SetClock(kNow + seconds(30));
  auto previous = MustRead();
  const auto appears = [&] {
    const auto read = ReadAgain(previous);
    EXPECT_NE(read, previous);
    previous = read;
  };
  write_.Metadata();
  appears();
  write_.Commit(48);
  appears();
  write_.Initial("0", T(0));
  appears();
}

TEST_F(Fingerprint, WhatChangedJustNowIsLookedAtAgain) {
  storage_.SetClock(kNow - seconds(1));
  write_.Batch(50, {T(500)});
  const auto first = MustRead();
  EXPECT_NE(ReadAgain(first), first) << "it could have changed twice within one tick of the clock";
  const auto third = MustRead(first, kNow + minutes(1));
  EXPECT_EQ(ReadAgain(third), third);
}

TEST_F(Fingerprint, ChangedWhileItWasRead) {
  // The position is edited after its status was taken and before it is read, or right after.
  for (const bool after : {false, true}) {
    write_.Offsets(49, {T(490)});
    storage_.SetModified("/c/offsets/49", kNow - minutes(30));
    storage_.SetClock(kNow + Duration(after ? 20 : 10));
    storage_.OnRead([&](const StorageCall& call, std::string&) {
      if (call.path == "/c/offsets/49" && after) write_.Offsets(49, {T(77)});
    });
    storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
      if (call.path == "/c/offsets/49" && call.kind == StorageCall::Kind::kRead && !after) {
        write_.Offsets(49, {T(77)});
      }
      return std::nullopt;
    });
    const auto first = MustRead();
    storage_.ClearFaults();
    EXPECT_EQ(OnlyOffset(ReadAgain(first)->position), 77) << after;
    storage_.SetClock(kNow - std::chrono::hours(1));
  }
}

TEST_F(Fingerprint, ANewCheckpointUnderTheOldPathIsReadFromTheStart) {
  const auto first = MustRead();
  storage_.Remove("/c");
  storage_.SetClock(kNow + seconds(30));
  write_.File("metadata", R"({"id":"another"})").Initial("0", T(0));
  for (BatchId batch = 0; batch < 50; ++batch) write_.Batch(batch, {T(batch)});
  const auto second = ReadAgain(first);
  EXPECT_EQ(second->query_id, "another");
  EXPECT_EQ(OnlyOffset(second->position), 49);
  EXPECT_THAT(second->steps, IsEmpty());
  EXPECT_THAT(storage_.ReadPaths(), Contains("/c/offsets/3"));
}

TEST_F(Fingerprint, AStatusThatWasNotAnsweredRecognizesNothing) {
  for (std::size_t number = 1; number <= 8; ++number) {
    storage_.ResetCalls();
    storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
      if (call.kind != StorageCall::Kind::kStat || call.number != number) return std::nullopt;
      return Error{ErrorKind::kUnavailable, call.path};
    });
    const auto first = Read();
    const bool failed = storage_.Calls()[number - 1].kind == StorageCall::Kind::kStat;
    storage_.ClearFaults();
    if (!first || !failed) continue;
    EXPECT_NE(ReadAgain(*first), *first) << number;
  }
}

TEST_F(Fingerprint, WhatHadProblemsIsReadAgain) {
  write_.File("offsets/20", "v1");
  const auto first = MustRead();
  EXPECT_EQ(first->problems.size(), 1u);
  const auto second = ReadAgain(first);
  EXPECT_EQ(second->problems.size(), 1u) << "it does not heal by being looked at";
  write_.Offsets(20, {T(200)});
  EXPECT_THAT(ReadAgain(second)->problems, IsEmpty());
}

TEST_F(Fingerprint, ATransientErrorLeavesNoTrace) {
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.path != "/c/offsets/20") return std::nullopt;
    return Error{ErrorKind::kUnavailable, call.path};
  });
  const auto first = MustRead();
  EXPECT_EQ(first->problems.size(), 1u);
  storage_.ClearFaults();
  const auto second = ReadAgain(first);
  EXPECT_THAT(second->problems, IsEmpty());
  EXPECT_EQ(second->batch_times.size(), 50u);
}

TEST_F(Fingerprint, AVanishedCheckpointIsNotRecognized) {
  const auto first = MustRead();
  storage_.Remove("/c");
  EXPECT_EQ(ErrorOf(Read(first, kNow + minutes(1))), ErrorKind::kNotFound);
}

TEST_F(Fingerprint, AStorageThatIsDownIsNotUnchanged) {
  const auto first = MustRead();
  storage_.OnCall(
      [](const StorageCall& call) { return Error{ErrorKind::kUnavailable, call.path}; });
  EXPECT_EQ(ErrorOf(Read(first, kNow + minutes(1))), ErrorKind::kUnavailable);
}

}  // namespace
}  // namespace tidegauge
