#include "daemon/http/check_queue.h"

#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// Jobs that end when the test says so.
class Gate {
 public:
  std::function<void()> Job() {
    return [gate = open_.get_future().share()] { gate.wait(); };
  }
  void Open() { open_.set_value(); }

 private:
  std::promise<void> open_;
};

/// Once it returns, a job of client `a` runs until the gate opens, and none waits.
bool OccupyThread(CheckQueue& queue, Gate& gate) {
  auto begun = std::make_shared<std::promise<void>>();
  const bool added = queue.Add("a", [begun, job = gate.Job()] {
    begun->set_value();
    job();
  });
  if (added) begun->get_future().wait();
  return added;
}

TEST(CheckQueue, runs_what_it_is_given_elsewhere) {
  CheckQueue queue;
  std::promise<std::thread::id> ran;
  ASSERT_TRUE(queue.Add("a", [&] { ran.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(ran.get_future().get(), std::this_thread::get_id());
}

TEST(CheckQueue, clients_take_turns) {
  CheckQueue queue({.threads = 1});
  Gate gate;
  ASSERT_TRUE(queue.Add("first", gate.Job()));
  std::vector<std::string> order;  // of one thread
  std::promise<void> last;
  for (const char* job : {"a1", "a2", "a3", "b1"}) {
    ASSERT_TRUE(queue.Add(std::string(1, job[0]), [&order, &last, job] {
      order.emplace_back(job);
      if (order.size() == 4) last.set_value();
    }));
  }
  gate.Open();
  last.get_future().wait();
  EXPECT_THAT(order, ElementsAre("a1", "b1", "a2", "a3"));
}

TEST(CheckQueue, takes_no_more_than_its_limits) {
  CheckQueue queue({.threads = 1, .waiting = 3, .per_client = 2});
  Gate gate;
  ASSERT_TRUE(OccupyThread(queue, gate));
  EXPECT_TRUE(queue.Add("a", [] {}));
  EXPECT_TRUE(queue.Add("a", [] {}));
  EXPECT_FALSE(queue.Add("a", [] {})) << "of one client";
  EXPECT_TRUE(queue.Add("b", [] {}));
  EXPECT_TRUE(queue.Add("c", [] {})) << "one of a's two makes room";
  EXPECT_FALSE(queue.Add("d", [] {})) << "in all";
  gate.Open();
}

TEST(CheckQueue, in_a_full_one_who_has_most_makes_room_for_who_has_none) {
  CheckQueue queue({.threads = 1, .waiting = 3, .per_client = 3});
  Gate gate;
  ASSERT_TRUE(OccupyThread(queue, gate));
  std::vector<std::string> order;
  std::promise<void> last;
  std::string dropped;
  for (const char* job : {"a1", "a2", "a3"}) {
    ASSERT_TRUE(queue.Add(
        "a", [&order, job] { order.emplace_back(job); }, [&dropped, job] { dropped = job; }));
  }
  EXPECT_TRUE(queue.Add("b", [&] { order.emplace_back("b1"); }));
  EXPECT_EQ(dropped, "a3");
  EXPECT_FALSE(queue.Add("b", [] {})) << "it has one, and the other two";
  EXPECT_TRUE(queue.Add("c", [&] {
    order.emplace_back("c1");
    last.set_value();
  }));
  EXPECT_EQ(dropped, "a2");
  EXPECT_FALSE(queue.Add("d", [] {})) << "each has one";
  gate.Open();
  last.get_future().wait();
  EXPECT_THAT(order, ElementsAre("a1", "b1", "c1"));
}

TEST(CheckQueue, runs_no_more_at_once_than_it_has_threads) {
  CheckQueue queue({.threads = 2});
  std::mutex mutex;
  int running = 0;
  int most = 0;
  std::vector<std::future<void>> ends;
  for (int i = 0; i < 12; ++i) {
    auto end = std::make_shared<std::promise<void>>();
    ends.push_back(end->get_future());
    ASSERT_TRUE(queue.Add("a", [&, end] {
      {
        const std::lock_guard lock(mutex);
        most = std::max(most, ++running);
      }
      std::this_thread::yield();
      {
        const std::lock_guard lock(mutex);
        --running;
      }
      end->set_value();
    }));
  }
  for (auto& end : ends) end.wait();
  EXPECT_LE(most, 2);
}

TEST(CheckQueue, its_end_drops_what_has_not_begun_and_waits_for_nothing) {
  Gate gate;
  auto dropped = std::make_shared<int>();
  {
    CheckQueue queue({.threads = 1});
    std::promise<void> begun;
    ASSERT_TRUE(queue.Add("a", [&begun, job = gate.Job()] {
      begun.set_value();
      job();
    }));
    begun.get_future().wait();
    ASSERT_TRUE(queue.Add("a", [dropped] { ++*dropped; }));
  }
  EXPECT_EQ(dropped.use_count(), 1);
  EXPECT_EQ(*dropped, 0);
  gate.Open();
}

}  // namespace
}  // namespace tidegauge
