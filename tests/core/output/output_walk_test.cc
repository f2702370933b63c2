#include "core/output/output_walk.h"

#include <set>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OutputWalkTest : public ::testing::Test {
 protected:
  void SetUp() override { storage_.MakeDirectory("/out"); }

  void Files(const std::vector<std::string>& below) {
    for (const std::string& name : below) storage_.Write("/out/" + name, "rows");
  }
  /// One step, what it came upon goes into found_.
  Result<void> Step() {
    const auto file = walk_.Step(
        storage_, [&](const std::string& below) { return passed_over_.contains(below); });
    if (!file) return std::unexpected(file.error());
    if (*file) found_.insert((*file)->below);
    return {};
  }
  const std::set<std::string>& All() {
    while (!walk_.is_over()) EXPECT_TRUE(Step());
    return found_;
  }

  MemoryStorage storage_;
  OutputWalk walk_{"/out"};
  std::set<std::string> passed_over_;
  std::set<std::string> found_;
};

TEST_F(OutputWalkTest, AnEmptyDirectoryHasNothing) {
  EXPECT_FALSE(walk_.is_over());
  EXPECT_THAT(All(), IsEmpty());
}

TEST_F(OutputWalkTest, GoesIntoPartitionsAlone_PastWhatIsHidden) {
  Files({"part-0", "day=1/hour=2/part-1", "_SUCCESS", ".part-0.crc", "_spark_metadata/0",
         "day=1/_spark_metadata/0", "checkpoint/offsets/0", "_day=1/part-2"});
  EXPECT_THAT(All(), ElementsAre("_day=1/part-2", "day=1/hour=2/part-1", "part-0"));
}

TEST_F(OutputWalkTest, WhatIsPassedOverCostsNoCall) {
  Files({"part-0", "part-1", "part-2"});
  passed_over_ = {"part-0", "part-2"};
  EXPECT_THAT(All(), ElementsAre("part-1"));
  EXPECT_EQ(storage_.CallCount(StorageCall::Kind::kStat), 1u);
}

TEST_F(OutputWalkTest, EachStepIsOneCall) {
  Files({"part-0", "day=1/part-1"});
  for (std::size_t calls = 1; !walk_.is_over(); ++calls) {
    EXPECT_TRUE(Step());
    EXPECT_EQ(storage_.CallCount(), calls);
  }
}

TEST_F(OutputWalkTest, WhatVanishesMeanwhileIsPassedOver) {
  Files({"day=1/part-0", "day=2/part-1", "part-2"});
  EXPECT_TRUE(Step());
  storage_.Remove("/out/part-2");
  EXPECT_TRUE(Step());  // whichever it was
  storage_.Remove("/out/day=1/part-0");
  storage_.Remove("/out/day=1");
  EXPECT_THAT(All(), ElementsAre("day=2/part-1"));
}

TEST_F(OutputWalkTest, WithoutTheDirectoryItselfNothingIsKnown) {
  OutputWalk walk("/elsewhere");
  const auto file = walk.Step(storage_, [](const std::string&) { return false; });
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::kNotFound);
  EXPECT_FALSE(walk.is_over());
}

TEST_F(OutputWalkTest, AfterAnErrorItGoesOnWhereItWas) {
  Files({"day=1/part-0", "part-1"});
  const std::size_t calls = 5;
  for (std::size_t number = 1; number <= calls; ++number) {
    walk_ = OutputWalk("/out");
    found_.clear();
    storage_.ResetCalls();
    storage_.FailCall(number, ErrorKind::kUnavailable);
    std::size_t failed = 0;
    while (!walk_.is_over()) failed += Step() ? 0 : 1;
    EXPECT_EQ(failed, 1u) << number;
    EXPECT_THAT(found_, ElementsAre("day=1/part-0", "part-1")) << number;
  }
}

TEST_F(OutputWalkTest, ALinkToAFolderAboveIsNotFollowedForEver) {
  std::string deep;
  for (int level = 0; level < 40; ++level) deep += fmt::format("again={}/", level);
  Files({deep + "part-0", "again=0/part-1"});
  EXPECT_THAT(All(), ElementsAre("again=0/part-1"));
}

}  // namespace
}  // namespace tidegauge::testing
