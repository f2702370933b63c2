#include "daemon/deadline_pool.h"

#include <atomic>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using std::chrono::milliseconds;
using Outcome = DeadlinePool::Outcome;

constexpr DeadlinePool::Options kQuick = {.threads = 2,
                                          .max_stuck = 8,
                                          .group_limit = 4,
                                          .patience = milliseconds(5),
                                          .deadline = milliseconds(100)};

/// Jobs that hang until the test lets them go, and jobs that do not.
class DeadlinePoolTest : public ::testing::Test {
 protected:
  ~DeadlinePoolTest() override { Release(); }

  DeadlinePool::Job Hung(std::string key, std::string group) {
    return {std::move(key), std::move(group), [gate = gate_, started = started_] {
              ++*started;
              gate->wait();
            }};
  }

  DeadlinePool::Job Healthy(std::string key, std::string group) {
    return {std::move(key), std::move(group), [ran = ran_] { ++*ran; }};
  }

  void Release() {
    if (!gate_->try_wait()) gate_->count_down();
  }

  std::shared_ptr<std::latch> gate_ = std::make_shared<std::latch>(1);
  std::shared_ptr<std::atomic<int>> started_ = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<std::atomic<int>> ran_ = std::make_shared<std::atomic<int>>(0);
  Time now_ = Time(Duration(1'000));
};

TEST_F(DeadlinePoolTest, NothingToDoIsDoneAtOnce) {
  DeadlinePool pool(kQuick);
  EXPECT_TRUE(pool.Run({}, now_).empty());
}

TEST_F(DeadlinePoolTest, EveryJobRunsOnceAndItsResultIsSeen) {
  DeadlinePool pool(kQuick);
  std::vector<int> results(500, 0);
  std::vector<DeadlinePool::Job> jobs;
  for (int i = 0; i < 500; ++i) {
    jobs.push_back(
        {std::to_string(i), "g", [&results, i] { results[static_cast<size_t>(i)] += i; }});
  }
  for (const auto& answer : pool.Run(std::move(jobs), now_)) {
    EXPECT_EQ(answer.outcome, Outcome::kDone);
  }
  for (int i = 0; i < 500; ++i) EXPECT_EQ(results[static_cast<size_t>(i)], i);
}

TEST_F(DeadlinePoolTest, ThreadsAreKeptFromRunToRun) {
  DeadlinePool pool(kQuick);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int run = 0; run < 20; ++run) {
    std::vector<DeadlinePool::Job> jobs;
    for (int i = 0; i < 10; ++i) {
      jobs.push_back({std::to_string(i), "g", [&] {
                        std::lock_guard lock(mutex);
                        threads.insert(std::this_thread::get_id());
                      }});
    }
    pool.Run(std::move(jobs), now_);
  }
  // A busy machine may make a job look slow, and then it gets a helper.
  EXPECT_LT(threads.size(), 10U);
}

TEST_F(DeadlinePoolTest, AHungJobIsGivenUpAtItsDeadlineAndCostsNoOther) {
  DeadlinePool pool(kQuick);
  std::vector<DeadlinePool::Job> jobs;
  jobs.push_back(Hung("hung", "a"));
  for (int i = 0; i < 50; ++i) jobs.push_back(Healthy(std::to_string(i), "b"));
  auto answers = pool.Run(std::move(jobs), now_);
  EXPECT_EQ(answers[0].outcome, Outcome::kLate);
  for (std::size_t i = 1; i < answers.size(); ++i) EXPECT_EQ(answers[i].outcome, Outcome::kDone);
}

TEST_F(DeadlinePoolTest, HungJobsDoNotDelayHealthyOnesToTheirDeadline) {
  auto options = kQuick;
  options.deadline = std::chrono::hours(1);
  DeadlinePool pool(options);
  std::vector<DeadlinePool::Job> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(Hung("hung" + std::to_string(i), "a"));
  // Twice as many hang as there are threads; yet the last job is reached, and lets them go.
  jobs.push_back({"last", "b", [gate = gate_] { gate->count_down(); }});
  for (const auto& answer : pool.Run(std::move(jobs), now_)) {
    EXPECT_EQ(answer.outcome, Outcome::kDone);
  }
}

TEST_F(DeadlinePoolTest, NoSecondJobOfAKeyStartsWhileTheFirstStillRuns) {
  DeadlinePool pool(kQuick);
  std::vector<DeadlinePool::Job> jobs;
  jobs.push_back(Hung("hung", "a"));
  EXPECT_EQ(pool.Run(std::move(jobs), now_)[0].outcome, Outcome::kLate);
  for (int later = 1; later <= 3; ++later) {
    std::vector<DeadlinePool::Job> again;
    again.push_back(Hung("hung", "a"));
    again.push_back(Healthy("other", "a"));
    auto answers = pool.Run(std::move(again), now_ + std::chrono::minutes(later));
    EXPECT_EQ(answers[0].outcome, Outcome::kStuck);
    EXPECT_EQ(answers[0].since, now_);
    EXPECT_EQ(answers[1].outcome, Outcome::kDone);
  }
  EXPECT_EQ(*started_, 1);
}

TEST_F(DeadlinePoolTest, AKeyIsFreeAgainOnceItsJobHasReturned) {
  DeadlinePool pool(kQuick);
  std::vector<DeadlinePool::Job> jobs;
  jobs.push_back(Hung("hung", "a"));
  EXPECT_EQ(pool.Run(std::move(jobs), now_)[0].outcome, Outcome::kLate);
  Release();
  Outcome outcome = Outcome::kStuck;
  while (outcome == Outcome::kStuck) {  // until the thread has noticed
    std::vector<DeadlinePool::Job> again;
    again.push_back(Healthy("hung", "a"));
    outcome = pool.Run(std::move(again), now_)[0].outcome;
  }
  EXPECT_EQ(outcome, Outcome::kDone);
  EXPECT_EQ(*ran_, 1);
}

TEST_F(DeadlinePoolTest, AGroupThatHangsIsLeftAloneAtItsLimit) {
  DeadlinePool pool(kQuick);
  std::vector<DeadlinePool::Job> jobs;
  for (int i = 0; i < 100; ++i) {
    jobs.push_back(Hung("hung" + std::to_string(i), "a"));
    jobs.push_back(Healthy(std::to_string(i), "b"));
  }
  auto answers = pool.Run(std::move(jobs), now_);
  std::map<Outcome, int> hung;
  for (std::size_t i = 0; i < answers.size(); i += 2) {
    ++hung[answers[i].outcome];
    if (answers[i].outcome == Outcome::kGroupStuck) {
      EXPECT_EQ(answers[i].since, now_);
    }
    EXPECT_EQ(answers[i + 1].outcome, Outcome::kDone);
  }
  // At the very start, before any job counts as slow, each thread may hold one more.
  const int late = hung[Outcome::kLate];
  EXPECT_GE(late, 4);
  EXPECT_LE(late, 4 + 2);
  EXPECT_EQ(late, *started_);
  EXPECT_EQ(hung[Outcome::kGroupStuck], 100 - late);
}

TEST_F(DeadlinePoolTest, AGroupIsTriedAgainOnceItsJobsReturn) {
  DeadlinePool pool(kQuick);
  std::vector<DeadlinePool::Job> jobs;
  for (int i = 0; i < 10; ++i) jobs.push_back(Hung("hung" + std::to_string(i), "a"));
  pool.Run(std::move(jobs), now_);
  Release();
  Outcome outcome = Outcome::kGroupStuck;
  while (outcome == Outcome::kGroupStuck) {
    std::vector<DeadlinePool::Job> again;
    again.push_back(Healthy("new", "a"));
    outcome = pool.Run(std::move(again), now_)[0].outcome;
  }
  EXPECT_EQ(outcome, Outcome::kDone);
}

TEST_F(DeadlinePoolTest, ThreadsAreBoundedAndSoIsTheTimeARunTakes) {
  DeadlinePool pool(kQuick);
  std::vector<DeadlinePool::Job> jobs;
  for (int i = 0; i < 50; ++i) {
    jobs.push_back(Hung("hung" + std::to_string(i), "mount" + std::to_string(i)));
  }
  auto answers = pool.Run(std::move(jobs), now_);
  EXPECT_EQ(*started_, 2 + 8);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].outcome, i < 10 ? Outcome::kLate : Outcome::kNotReached) << i;
  }
}

TEST_F(DeadlinePoolTest, WhatAHungJobUsesOutlivesThePool) {
  auto resource = std::make_shared<int>(7);
  std::weak_ptr<int> watch = resource;
  auto returned = std::make_shared<std::latch>(1);
  {
    DeadlinePool pool(kQuick);
    std::vector<DeadlinePool::Job> jobs;
    jobs.push_back({"hung", "a", [gate = gate_, returned, resource = std::move(resource)] {
                      gate->wait();
                      if (*resource == 7) returned->count_down();
                    }});
    EXPECT_EQ(pool.Run(std::move(jobs), now_)[0].outcome, Outcome::kLate);
  }  // returns though the job hangs
  EXPECT_FALSE(watch.expired());
  Release();
  returned->wait();
}

}  // namespace
}  // namespace tidegauge
