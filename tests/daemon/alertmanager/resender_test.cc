#include "daemon/alertmanager/resender.h"

#include <gmock/gmock.h>

#include "daemon/alertmanager/alert_queue.h"

namespace tidegauge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

Alert AlertNamed(const std::string& name) {
  return {.labels = {{"alertname", name}}, .starts_at = Time(7s)};
}

class ResenderTest : public ::testing::Test {
 protected:
  std::vector<TimedAlert> Due(Duration at, const std::vector<Alert>& firing,
                              const std::vector<EndedAlert>& ended = {}) {
    return resender_.Due(firing, ended, Time(at));
  }
  const Alert a_ = AlertNamed("A");
  const Alert b_ = AlertNamed("B");
  Resender resender_{60s, 30s};
};

TEST_F(ResenderTest, IsSentAtOnceAndThenEachDelay_EndingFourDelaysAhead) {
  EXPECT_THAT(Due(0s, {a_}), ElementsAre(TimedAlert{a_, Time(240s)}));
  EXPECT_THAT(Due(30s, {a_}), IsEmpty());
  EXPECT_THAT(Due(60s, {a_}), ElementsAre(TimedAlert{a_, Time(300s)}));
}

TEST_F(ResenderTest, WhereAPollTakesLongerThanTheDelayItsIntervalCounts) {
  resender_ = Resender(60s, 5min);
  EXPECT_THAT(Due(0s, {a_}), ElementsAre(TimedAlert{a_, Time(20min)}));
}

TEST_F(ResenderTest, ItsEndIsSentAtOnce_AndForAQuarterOfAnHour) {
  Due(0s, {a_});
  EXPECT_THAT(Due(30s, {}), ElementsAre(TimedAlert{a_, Time(30s)}));
  EXPECT_THAT(Due(60s, {}), IsEmpty());
  EXPECT_THAT(Due(90s, {}), ElementsAre(TimedAlert{a_, Time(30s)}));
  EXPECT_THAT(Due(30s + kResolvedRepeated, {}), ElementsAre(TimedAlert{a_, Time(30s)}));
  EXPECT_THAT(Due(2h, {}), IsEmpty());
}

TEST_F(ResenderTest, OneThatReturnsIsSentAtOnce) {
  Due(0s, {a_});
  Due(30s, {});
  EXPECT_THAT(Due(45s, {a_}), ElementsAre(TimedAlert{a_, Time(285s)}));
}

TEST_F(ResenderTest, OtherLabelsAreAnotherAlert_AndTheOldOneEnds) {
  Due(0s, {a_});
  EXPECT_THAT(Due(30s, {b_}), ElementsAre(TimedAlert{a_, Time(30s)}, TimedAlert{b_, Time(270s)}));
}

TEST_F(ResenderTest, WhatItSaysIsAlwaysTheNewest) {
  Due(0s, {a_});
  Alert changed = a_;
  changed.annotations["summary"] = "more";
  EXPECT_THAT(Due(30s, {changed}), IsEmpty()) << "no reason to send it before its time";
  EXPECT_THAT(Due(60s, {changed}), ElementsAre(TimedAlert{changed, Time(300s)}));
}

TEST_F(ResenderTest, WhoComesBackAfterAnHourIsToldWhatHoldsThen_AndNothingOlder) {
  AlertQueue queue(100);
  const auto poll = [&](Duration at, const std::vector<Alert>& firing) {
    queue.Push(Due(at, firing));
  };
  // A lasts, B is over before anybody listens again.
  for (Duration at = 0s; at < 1h; at += 30s) {
    poll(at, at < 10min ? std::vector{a_, b_} : std::vector{a_});
    if (queue.size() > 0) queue.Take(100);  // refused
  }
  ASSERT_EQ(queue.size(), 0u);
  poll(1h, {a_});
  EXPECT_THAT(queue.Take(100), ElementsAre(TimedAlert{a_, Time(1h + 240s)}));
  EXPECT_EQ(queue.dropped(), 0u);
}

TEST_F(ResenderTest, WhoHangsForAnHourIsToldTheNewestOfIt) {
  AlertQueue queue(50);
  for (Duration at = 0s; at <= 1h; at += 60s) queue.Push(Due(at, {a_}));
  EXPECT_EQ(queue.size(), 50u);
  EXPECT_EQ(queue.dropped(), 11u);
  EXPECT_EQ(queue.Take(50).back(), (TimedAlert{a_, Time(1h + 240s)}));
}

TEST_F(ResenderTest, AfterARestartWhatFiresIsSentAtOnce_AndWhatHasEndedToo) {
  EXPECT_THAT(Due(100s, {a_}, {{b_, Time(40s)}}),
              ElementsAre(TimedAlert{a_, Time(340s)}, TimedAlert{b_, Time(40s)}));
  EXPECT_THAT(Due(130s, {a_}, {{b_, Time(40s)}}), IsEmpty());
  EXPECT_THAT(Due(130s, {a_}, {{b_, Time(40s) - kResolvedRepeated}}), IsEmpty());
}

TEST_F(ResenderTest, WhatEndedAndFiresAgainFires) {
  EXPECT_THAT(Due(100s, {a_}, {{a_, Time(40s)}}), ElementsAre(TimedAlert{a_, Time(340s)}));
}

}  // namespace
}  // namespace tidegauge
