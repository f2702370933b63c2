#include "core/sinklog/compactible_log.h"

#include <string>

#include <gmock/gmock.h>

#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;
using Kind = StorageCall::Kind;

const std::string kDirectory = "/out/_spark_metadata";
const std::string kText = "v1\n{\"path\":\"file:///out/p\"}";

class CompactibleLogTest : public ::testing::Test {
 protected:
  CompactibleLogTest() { storage_.SetClock(now_); }

  void Write(const std::string& name, const std::string& text = kText) {
    storage_.Write(kDirectory + "/" + name, text);
  }
  void WriteRange(BatchId first, BatchId last) {
    for (BatchId batch = first; batch <= last; ++batch) Write(std::to_string(batch));
  }
  void Remove(const std::string& name) { storage_.Remove(kDirectory + "/" + name); }

  /// A poll, a minute after the last one.
  Result<LogPtr> Poll() {
    now_ += 1min;
    storage_.SetClock(now_);
    storage_.ResetCalls();
    auto read = ReadLog(storage_, kDirectory, 0, previous_, now_);
    if (read) previous_ = *read;
    return read;
  }

  std::vector<std::string> Faulty() const {
    std::vector<std::string> names;
    for (const CheckedLogFile& file : previous_->checked) {
      if (file.check.fault != LogFileFault::kNone) names.push_back(file.name);
    }
    return names;
  }

  MemoryStorage storage_;
  Time now_{1'796'000'000s};
  LogPtr previous_;
};

TEST_F(CompactibleLogTest, ADirectoryThatIsNotThereIsALogWithoutFiles) {
  storage_.MakeDirectory("/out");
  ASSERT_TRUE(Poll());
  EXPECT_FALSE(previous_->exists);
  EXPECT_TRUE(previous_->parent_exists);
  EXPECT_TRUE(previous_->files.empty());
  storage_.Remove("/out");
  Write("0");
  ASSERT_TRUE(Poll());
  EXPECT_TRUE(previous_->exists) << "it is back";
  storage_.Remove("/out");
  ASSERT_TRUE(Poll());
  EXPECT_FALSE(previous_->parent_exists);
}

TEST_F(CompactibleLogTest, OnlyFilesThatMatterAreLookedInto) {
  WriteRange(0, 8);
  Write("9.compact");
  WriteRange(10, 12);
  Write(".12.crc", "crc");
  ASSERT_TRUE(Poll());
  EXPECT_THAT(storage_.ReadPaths(), ElementsAre(kDirectory + "/9.compact", kDirectory + "/10",
                                                kDirectory + "/11", kDirectory + "/12"));
  EXPECT_EQ(previous_->interval, 10);
  ASSERT_THAT(previous_->compacts, SizeIs(1));
  EXPECT_EQ(previous_->compacts[0].bytes, kText.size());
}

TEST_F(CompactibleLogTest, UnchangedItCostsAFewStats) {
  WriteRange(0, 3);
  Poll();
  Poll();
  const LogPtr before = previous_;
  ASSERT_TRUE(Poll());
  EXPECT_EQ(previous_, before);
  EXPECT_EQ(storage_.CallCount(Kind::kList), 0u);
  EXPECT_EQ(storage_.CallCount(Kind::kRead), 0u);
  EXPECT_EQ(storage_.CallCount(Kind::kStat), 5u) << "the directory, and four files";
}

TEST_F(CompactibleLogTest, ANewFileIsTheOnlyOneRead) {
  WriteRange(0, 3);
  Poll();
  Write("4");
  ASSERT_TRUE(Poll());
  EXPECT_THAT(storage_.ReadPaths(), ElementsAre(kDirectory + "/4"));
  EXPECT_EQ(previous_->files.newest(), 4);
}

TEST_F(CompactibleLogTest, AFileThatIsEmptiedInPlaceIsSeen) {
  WriteRange(0, 3);
  Poll();
  Poll();
  Write("2", "");
  ASSERT_TRUE(Poll());
  EXPECT_THAT(Faulty(), ElementsAre("2"));
  Write("2");
  ASSERT_TRUE(Poll());
  EXPECT_THAT(Faulty(), IsEmpty());
}

TEST_F(CompactibleLogTest, WhatChangedJustNowIsReadAgain) {
  WriteRange(0, 1);
  ASSERT_TRUE(ReadLog(storage_, kDirectory, 0, nullptr, now_));
  previous_ = *ReadLog(storage_, kDirectory, 0, nullptr, now_);
  const Time same = now_;
  Write("1", std::string(kText.size(), 'x'));
  storage_.SetModified(kDirectory + "/1", same);
  ASSERT_TRUE(Poll());
  EXPECT_THAT(Faulty(), ElementsAre("1"));
}

TEST_F(CompactibleLogTest, SparkCleansUpBetweenListAndLook) {
  Write("9.compact");
  WriteRange(10, 18);
  std::size_t stats = 0;
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.kind == Kind::kStat && ++stats == 4) {
      storage_.ClearFaults();
      Write("19.compact");
      Write("20");
      Remove("9.compact");
      for (BatchId batch = 10; batch <= 18; ++batch) Remove(std::to_string(batch));
    }
    return std::nullopt;
  });
  ASSERT_TRUE(Poll());
  EXPECT_THAT(previous_->files.compacts, ElementsAre(19));
  EXPECT_THAT(previous_->files.plain, ElementsAre(20));
}

TEST_F(CompactibleLogTest, AListingWithAHoleIsTakenTwice) {
  WriteRange(0, 3);
  Remove("1");
  ASSERT_TRUE(Poll());
  EXPECT_EQ(storage_.CallCount(Kind::kList), 2u);
  EXPECT_THAT(previous_->files.plain, ElementsAre(0, 2, 3));

  // The second one shows that Spark was at work: a third decides.
  previous_ = nullptr;
  storage_.OnCall([&](const StorageCall& call) -> std::optional<Error> {
    if (call.kind == Kind::kList && storage_.CallCount(Kind::kList) == 2) Write("1");
    return std::nullopt;
  });
  ASSERT_TRUE(Poll());
  EXPECT_THAT(previous_->files.plain, ElementsAre(0, 1, 2, 3));
}

TEST_F(CompactibleLogTest, ADirectoryNamedLikeABatchIsNoFile) {
  WriteRange(0, 1);
  storage_.MakeDirectory(kDirectory + "/2");
  ASSERT_TRUE(Poll());
  EXPECT_THAT(Faulty(), ElementsAre("2"));
}

TEST_F(CompactibleLogTest, AnotherSettingIsAnotherLog) {
  Write("11.compact");
  Poll();
  EXPECT_EQ(previous_->interval, 12);
  const auto read = ReadLog(storage_, kDirectory, 5, previous_, now_);
  EXPECT_EQ((*read)->interval, 6);
}

/// Whichever call fails: an error, never a log that looks different from what it is.
TEST_F(CompactibleLogTest, WhateverCannotBeReadIsAnError) {
  Write("9.compact");
  WriteRange(10, 12);
  Poll();
  const std::size_t calls = storage_.CallCount();
  for (const bool again : {false, true}) {
    for (std::size_t call = 1; call <= calls; ++call) {
      if (!again) previous_ = nullptr;
      storage_.FailCall(call, ErrorKind::kUnavailable);
      const auto read = Poll();
      storage_.ClearFaults();
      if (read) {
        EXPECT_THAT((*read)->files.plain, ElementsAre(10, 11, 12)) << call;
        EXPECT_THAT(Faulty(), IsEmpty()) << call;
      } else {
        EXPECT_EQ(read.error().kind, ErrorKind::kUnavailable);
      }
    }
  }
}

TEST_F(CompactibleLogTest, AFileThatStaysAwayThoughListedIsAnError) {
  WriteRange(0, 1);
  storage_.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (!call.path.ends_with("/1")) return std::nullopt;
    return Error{ErrorKind::kNotFound, call.path};
  });
  EXPECT_EQ(Poll().error().kind, ErrorKind::kUnavailable);
}

}  // namespace
}  // namespace tidegauge::testing
