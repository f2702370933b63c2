#include "core/checkpoint/directory.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/checkpoint/checkpoint_fixture.h"

namespace tidegauge {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Directory : public CheckpointFixture {
 protected:
  Directory() { write_.Metadata().Initial("0", T(0)).Batch(0, {T(5)}).Batch(1, {T(10)}); }
};

TEST_F(Directory, NamesThatAreNoBatchesAreIgnored) {
  for (const char* name :
       {".1.crc", ".7.8d0f.tmp", "..7.8d0f.tmp.crc", "7.tmp", "7.compact", "-7", "x"}) {
    write_.File(std::string("offsets/") + name, "x").File(std::string("commits/") + name, "x");
  }
  const auto read = MustRead();
  EXPECT_EQ(read->newest_batch, 1);
  EXPECT_EQ(read->committed_batch, 1);
  EXPECT_EQ(OnlyOffset(read->position), 10);
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Directory, BatchesAreOrderedByNumber) {
  for (BatchId batch = 2; batch <= 11; ++batch) write_.Batch(batch, {T(batch * 10)});
  EXPECT_EQ(OnlyOffset(MustRead()->position), 110);
}

TEST_F(Directory, AStrangeNameIsListedButCannotBeOpened) {
  for (const char* name : {"+2", "002"}) {
    write_.File(std::string("offsets/") + name, OffsetsFile{.lines = {T(20)}}.Text());
    auto read = MustRead();
    EXPECT_EQ(read->newest_batch, 2) << name;
    EXPECT_EQ(OnlyOffset(read->position), 10) << name;
    EXPECT_THAT(read->problems, ElementsAre(HasSubstr("/c/offsets/2"))) << name;
    write_.Commit(2);
    EXPECT_EQ(Fatal().what, kListedOnly) << name;
    storage_.Remove("/c/commits/2");
    storage_.Remove(std::string("/c/offsets/") + name);
  }
}

TEST_F(Directory, OneBatchUnderTwoNames) {
  write_.File("offsets/001", "x").File("commits/+1", "x");
  EXPECT_EQ(OnlyOffset(MustRead()->position), 10);
}

TEST_F(Directory, ADirectoryIsNoBatch) {
  storage_.Remove("/c/commits/1");
  storage_.MakeDirectory("/c/offsets/50");
  storage_.MakeDirectory("/c/offsets/51");
  storage_.MakeDirectory("/c/commits/60");
  const auto read = MustRead();
  EXPECT_EQ(read->newest_batch, 1);
  EXPECT_EQ(read->committed_batch, 0);
  EXPECT_EQ(OnlyOffset(read->position), 5);
  EXPECT_EQ(OnlyOffset(read->in_flight), 10);
}

TEST_F(Directory, ADirectoryBetweenTheTwoNewestIsNoBatchEither) {
  write_.Commit(2).Offsets(3, {T(30)});
  storage_.Remove("/c/commits/2");
  storage_.MakeDirectory("/c/offsets/2");
  EXPECT_EQ(OnlyOffset(MustRead()->position), 10);
}

TEST_F(Directory, CommitsAreListedBeforeOffsets) {
  MustRead();
  std::vector<std::string> listed;
  for (const StorageCall& call : storage_.Calls()) {
    if (call.kind == StorageCall::Kind::kList) listed.push_back(call.path);
  }
  EXPECT_THAT(listed, ElementsAre("/c", "/c/commits", "/c/offsets", "/c/sources"));
}

TEST_F(Directory, ABatchEndsAndTheNextBeginsBetweenTheListings) {
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.path == "/c/offsets" && call.kind == StorageCall::Kind::kList) {
      write_.Batch(2, {T(20)}).Batch(3, {T(30)}).Offsets(4, {T(40)});
    }
    return std::nullopt;
  });
  const auto read = MustRead();
  EXPECT_EQ(read->committed_batch, 1);
  EXPECT_EQ(OnlyOffset(read->position), 30) << "the batch before the newest has ended for sure";
}

TEST_F(Directory, PurgedBetweenListAndRead) {
  // The position's file goes away, as the query has moved on by more than it retains.
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.path == "/c/offsets/1" && call.kind == StorageCall::Kind::kRead) {
      for (const char* name : {"offsets/0", "offsets/1", "commits/0", "commits/1"}) {
        storage_.Remove(std::string("/c/") + name);
      }
      if (!storage_.Has("/c/offsets/200")) write_.Batch(200, {T(2000)}).Batch(201, {T(2010)});
    }
    return std::nullopt;
  });
  const auto read = MustRead();
  EXPECT_EQ(OnlyOffset(read->position), 2010);
  EXPECT_THAT(read->problems, IsEmpty());
}

TEST_F(Directory, WhatVanishesForEverIsDamageInTheEnd) {
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.path != "/c/offsets/1" || call.kind != StorageCall::Kind::kRead) return std::nullopt;
    return Error{ErrorKind::kNotFound, "/c/offsets/1: gone"};
  });
  EXPECT_EQ(Fatal().what, kListedOnly);
  const auto reads = storage_.ReadPaths();
  EXPECT_EQ(std::ranges::count(reads, "/c/offsets/1"), 3);
}

TEST_F(Directory, DeletedWhileItIsRead) {
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.kind == StorageCall::Kind::kRead) storage_.Remove("/c");
    return std::nullopt;
  });
  EXPECT_EQ(ErrorOf(Read()), ErrorKind::kNotFound);
}

TEST_F(Directory, ErrorsOfStorageComeThrough) {
  for (const ErrorKind kind : {ErrorKind::kUnavailable, ErrorKind::kDenied}) {
    for (const char* path : {"/c", "/c/commits", "/c/offsets", "/c/sources"}) {
      storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
        if (call.path != path || call.kind != StorageCall::Kind::kList) return std::nullopt;
        return Error{kind, call.path};
      });
      EXPECT_EQ(ErrorOf(Read()), kind) << path;
    }
  }
}

}  // namespace
}  // namespace tidegauge
