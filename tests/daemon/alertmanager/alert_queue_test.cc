#include "daemon/alertmanager/alert_queue.h"

#include <thread>

#include <gmock/gmock.h>

namespace tidegauge {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<TimedAlert> Alerts(int first, int count) {
  std::vector<TimedAlert> alerts;
  for (int i = first; i < first + count; ++i) {
    alerts.push_back({.alert = {.labels = {{"n", std::to_string(i)}}}});
  }
  return alerts;
}

TEST(AlertQueue, GivesTheOldestFirst_AndNoMoreThanIsAsked) {
  AlertQueue queue(10);
  queue.Push(Alerts(0, 5));
  EXPECT_EQ(queue.Take(3), Alerts(0, 3));
  queue.Push(Alerts(5, 1));
  EXPECT_EQ(queue.Take(10), Alerts(3, 3));
  EXPECT_EQ(queue.size(), 0u);
}

TEST(AlertQueue, DropsTheOldestWhenItIsFull_AndCountsThem) {
  AlertQueue queue(4);
  queue.Push(Alerts(0, 4));
  EXPECT_EQ(queue.dropped(), 0u);
  queue.Push(Alerts(4, 3));
  EXPECT_EQ(queue.dropped(), 3u);
  EXPECT_EQ(queue.Take(10), Alerts(3, 4));
}

TEST(AlertQueue, WaitsForAnAlert) {
  AlertQueue queue(4);
  std::thread pusher([&] { queue.Push(Alerts(0, 1)); });
  EXPECT_THAT(queue.Take(4), SizeIs(1));
  pusher.join();
}

TEST(AlertQueue, ClosedToDrainItGivesWhatIsThere_AndThenNothing) {
  AlertQueue queue(4);
  queue.Push(Alerts(0, 2));
  queue.Close(true);
  queue.Push(Alerts(2, 1));
  EXPECT_EQ(queue.Take(4), Alerts(0, 2));
  EXPECT_THAT(queue.Take(4), IsEmpty());
}

TEST(AlertQueue, ClosedForGoodItGivesNothing_AndWhoWaitsGoesOn) {
  AlertQueue queue(4);
  std::thread closer([&] { queue.Close(false); });
  EXPECT_THAT(queue.Take(4), IsEmpty());
  closer.join();
}

}  // namespace
}  // namespace tidegauge
