// A checkpoint in memory, to be written and read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/checkpoint/snapshot.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {

inline constexpr Time kNow{Duration(1'796'100'000'000)};

/// {"t":{"0":<offset>}}
inline std::string T(Offset offset) { return R"({"t":{"0":)" + std::to_string(offset) + "}}"; }

class CheckpointFixture : public ::testing::Test {
 protected:
  CheckpointFixture() { storage_.SetClock(kNow - std::chrono::hours(1)); }

  Result<std::shared_ptr<const Checkpoint>> Read(
      std::shared_ptr<const Checkpoint> previous = nullptr, Time now = kNow) {
    return ReadCheckpoint(storage_, "/c", std::move(previous), now);
  }

  std::shared_ptr<const Checkpoint> MustRead(std::shared_ptr<const Checkpoint> previous = nullptr,
                                             Time now = kNow) {
    auto read = Read(std::move(previous), now);
    if (read) return *read;
    ADD_FAILURE() << read.error().message;
    return std::make_shared<Checkpoint>();
  }

  ErrorKind ErrorOf(const Result<std::shared_ptr<const Checkpoint>>& read) {
    if (read) ADD_FAILURE() << "read, though it should not have been";
    return read ? ErrorKind::kInvalid : read.error().kind;
  }

  /// The only damage, which takes away the position.
  Damage Fatal() {
    const auto read = MustRead();
    EXPECT_FALSE(read->position_known);
    EXPECT_TRUE(read->position.empty() && read->in_flight.empty() && read->steps.empty());
    EXPECT_FALSE(read->problems.empty());
    EXPECT_EQ(read->damage.size(), 1u);
    return read->damage.empty() ? Damage{} : read->damage.front();
  }

  MemoryStorage storage_;
  CheckpointWriter write_{storage_, "/c"};
};

/// The only topic's offset in its only partition.
inline Offset OnlyOffset(const std::vector<SourceTopic>& topics) {
  if (topics.size() == 1 && topics[0].offsets.size() == 1) return topics[0].offsets.begin()->second;
  ADD_FAILURE() << topics.size() << " topics";
  return -1;
}

inline BatchId OnlyBatch(const std::vector<SourceTopic>& topics) {
  if (topics.size() == 1) return topics[0].batch;
  ADD_FAILURE() << topics.size() << " topics";
  return -2;
}

}  // namespace tidegauge::testing
