#include "daemon/reader_pool.h"

#include <atomic>
#include <latch>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr DeadlinePool::Options kQuick = {.threads = 2,
                                          .max_stuck = 8,
                                          .group_limit = 2,
                                          .patience = milliseconds(5),
                                          .deadline = milliseconds(50)};

/// A world in which checkpoints whose path begins with /hung never answer.
struct World {
  std::latch gate{1};
  std::atomic<int> reads{0};
};

class ReaderPoolTest : public ::testing::Test {
 protected:
  ~ReaderPoolTest() override { Release(); }

  void Release() {
    if (!world_->gate.try_wait()) world_->gate.count_down();
  }

  ReaderPool::Reader Reader() {
    return [world = world_](const Target& target, const KnownReading& previous,
                            Time) -> QueryReading {
      ++world->reads;
      if (target.checkpoint.starts_with("/hung")) world->gate.wait();
      if (target.checkpoint.starts_with("/broken")) {
        return {.checkpoint = Fail(ErrorKind::kCorrupt, "broken"), .logs = {}};
      }
      if (previous.checkpoint) return {.checkpoint = previous.checkpoint, .logs = previous.logs};
      auto checkpoint = std::make_shared<Checkpoint>();
      checkpoint->path = target.checkpoint;
      return {.checkpoint = checkpoint, .logs = {.sources = {{.source = target.query, .log = {}}}}};
    };
  }

  std::shared_ptr<World> world_ = std::make_shared<World>();
  Time now_ = Time(std::chrono::sys_days(std::chrono::year(2026) / 11 / 30));
};

TEST_F(ReaderPoolTest, ReadsEveryTargetInOrder) {
  ReaderPool pool(Reader(), kQuick);
  std::vector<Target> targets = {
      {"b", "/data/b", "main"}, {"a", "/broken/a", ""}, {"c", "/data/c", ""}};
  auto readings = pool.ReadAll(targets, now_);
  ASSERT_EQ(readings.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(readings[i].target, targets[i]);
  EXPECT_EQ((*readings[0].checkpoint)->path, "/data/b");
  EXPECT_EQ(readings[1].checkpoint.error(), (Error{ErrorKind::kCorrupt, "broken"}));
  EXPECT_EQ((*readings[2].checkpoint)->path, "/data/c");
}

TEST_F(ReaderPoolTest, TheNextReadIsGivenWhatTheLastOneFound) {
  ReaderPool pool(Reader(), kQuick);
  std::vector<Target> targets = {{"a", "/data/a", "main"}};
  auto first = pool.ReadAll(targets, now_);
  auto second = pool.ReadAll(targets, now_);
  EXPECT_EQ(*first[0].checkpoint, *second[0].checkpoint);
  ASSERT_EQ(second[0].logs.sources.size(), 1U) << "the logs too";
  // Not when the query has another checkpoint now, and not after it was gone for a while.
  auto moved = pool.ReadAll({{"a", "/data/b", "main"}}, now_);
  EXPECT_EQ((*moved[0].checkpoint)->path, "/data/b");
  auto back = pool.ReadAll(targets, now_);
  EXPECT_NE(*first[0].checkpoint, *back[0].checkpoint);
}

TEST_F(ReaderPoolTest, AHungReadIsUnknownAndSaysWhere) {
  ReaderPool pool(Reader(), kQuick);
  std::vector<Target> targets = {{"a", "/hung/a", "main"}, {"b", "/data/b", "main"}};
  auto readings = pool.ReadAll(targets, now_);
  EXPECT_EQ(
      readings[0].checkpoint.error(),
      (Error{ErrorKind::kUnavailable, "no answer from /hung/a within 0.05s (is the mount hung?)"}));
  EXPECT_TRUE(readings[1].checkpoint);

  readings = pool.ReadAll(targets, now_ + std::chrono::minutes(1));
  EXPECT_EQ(readings[0].checkpoint.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(readings[0].checkpoint.error().message,
              HasSubstr("no answer from /hung/a since 2026-11-30T00:00:00Z"));
  EXPECT_TRUE(readings[1].checkpoint);
  EXPECT_EQ(world_->reads, 3) << "the hung read was not begun twice";
}

TEST_F(ReaderPoolTest, ALateResultIsDroppedAndTheQueryIsReadAgain) {
  ReaderPool pool(Reader(), kQuick);
  std::vector<Target> targets = {{"a", "/hung/a", "main"}};
  EXPECT_FALSE(pool.ReadAll(targets, now_)[0].checkpoint);
  Release();
  while (!pool.ReadAll(targets, now_)[0].checkpoint) {
  }
  EXPECT_EQ(world_->reads, 2);
}

TEST_F(ReaderPoolTest, AServerThatHangsCostsNoOtherServer) {
  auto options = kQuick;
  options.threads = 1;  // so that the limit is exact
  ReaderPool pool(
      [world = world_](const Target& target, const KnownReading&, Time) -> QueryReading {
        if (target.checkpoint.starts_with("webhdfs://one/")) world->gate.wait();
        return {.checkpoint = std::make_shared<const Checkpoint>(), .logs = {}};
      },
      options);
  auto readings = pool.ReadAll({{"a", "webhdfs://one/a", ""},
                                {"b", "webhdfs://one/b", ""},
                                {"c", "webhdfs://one/c", ""},
                                {"d", "webhdfs://two/d", ""}},
                               now_);
  EXPECT_FALSE(readings[0].checkpoint);
  EXPECT_FALSE(readings[1].checkpoint);
  EXPECT_THAT(
      readings[2].checkpoint.error().message,
      HasSubstr("webhdfs://one/c was not read: 2 reads on webhdfs://one have had no answer"));
  EXPECT_TRUE(readings[3].checkpoint);
}

}  // namespace
}  // namespace tidegauge
