#include "daemon/alertmanager/resender.h"

#include <gmock/gmock.h>

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
