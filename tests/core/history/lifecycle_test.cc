#include "core/history/lifecycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::IsEmpty;
using namespace std::chrono_literals;

class Lifecycle : public ::testing::Test {
 protected:
  void Poll(Duration at, bool found, bool judged = true) {
    std::vector<Finding> findings;
    if (found) findings.push_back({.key = key_, .summary = "as of this poll"});
    TakeFindings(
        ledger_, findings, [this](const Finding&) { return hold_; },
        [judged](const FindingKey&) { return judged; }, Time(at));
  }
  const FindingReport& Record() const { return ledger_.findings.at(key_); }
  bool Forgotten() const { return ledger_.findings.empty(); }
  std::uint64_t Total() const {
    const auto total = ledger_.findings_total.find("topic_missing");
    return total == ledger_.findings_total.end() ? 0 : total->second;
  }

  FindingKey key_{.kind = "topic_missing", .query = "orders", .topic = "t"};
  Duration hold_ = 60s;
  Ledger ledger_;
};

TEST_F(Lifecycle, FiresWhenItHasHeldForExactlyItsHoldTime) {
  Poll(100s, true);
  EXPECT_EQ(Record().phase, Phase::kPending);
  Poll(159'999ms, true);
  EXPECT_EQ(Record().phase, Phase::kPending);
  Poll(160s, true);
  EXPECT_EQ(Record().phase, Phase::kFiring);
  EXPECT_EQ(Record().pending_since, Time(100s));
  EXPECT_EQ(Record().firing_since, Time(160s));
  EXPECT_EQ(Total(), 1u);
}

TEST_F(Lifecycle, WithoutAHoldTimeItFiresAtOnce) {
  hold_ = 0s;
  Poll(100s, true);
  EXPECT_EQ(Record().phase, Phase::kFiring);
}

TEST_F(Lifecycle, APendingOneThatIsGoneIsForgotten_AndStartsAnew) {
  Poll(100s, true);
  Poll(130s, false);
  EXPECT_TRUE(Forgotten());
  Poll(160s, true);
  EXPECT_EQ(Record().phase, Phase::kPending);
  EXPECT_EQ(Record().pending_since, Time(160s));
  EXPECT_EQ(Total(), 0u);
}

TEST_F(Lifecycle, AFiringOneThatIsGoneIsResolved_AndRememberedForADay) {
  hold_ = 0s;
  Poll(100s, true);
  Poll(130s, false);
  EXPECT_EQ(Record().phase, Phase::kResolved);
  EXPECT_EQ(Record().resolved_at, Time(130s));
  Poll(130s + kResolvedRemembered, false);
  EXPECT_FALSE(Forgotten());
  Poll(130s + kResolvedRemembered + 1ms, false);
  EXPECT_TRUE(Forgotten());
}

TEST_F(Lifecycle, WhatCouldNotBeJudgedIsNeitherResolvedNorForgotten) {
  Poll(100s, true);
  Poll(130s, false, false);
  EXPECT_EQ(Record().phase, Phase::kPending);
  Poll(160s, true);
  EXPECT_EQ(Record().phase, Phase::kFiring) << "it has held all along, as far as anybody knows";
  Poll(10h, false, false);
  EXPECT_EQ(Record().phase, Phase::kFiring);
  EXPECT_EQ(Record().firing_since, Time(160s));
}

TEST_F(Lifecycle, AResolvedOneThatReturnsIsANewOne) {
  hold_ = 0s;
  Poll(100s, true);
  Poll(130s, false);
  hold_ = 60s;
  Poll(160s, true);
  EXPECT_EQ(Record().phase, Phase::kPending);
  EXPECT_EQ(Record().pending_since, Time(160s));
  EXPECT_EQ(Record().firing_since, std::nullopt);
  Poll(220s, true);
  EXPECT_EQ(Record().resolved_at, std::nullopt);
  EXPECT_EQ(Total(), 2u);
}

TEST_F(Lifecycle, OneThatIsPendingAgainAndGoesIsResolvedAsItWas) {
  hold_ = 0s;
  Poll(100s, true);
  Poll(130s, false);
  hold_ = 60s;
  Poll(160s, true);
  Poll(190s, false);
  EXPECT_EQ(Record().phase, Phase::kResolved);
  EXPECT_EQ(Record().resolved_at, Time(130s));
}

TEST_F(Lifecycle, WhatComesBackWithinTheHourFlaps) {
  hold_ = 0s;
  Poll(0s, true);
  Poll(30s, false);
  Poll(30s + kFlapWindow, true);
  EXPECT_EQ(Record().flaps, 1);
  Poll(2h, false);
  EXPECT_EQ(Record().phase, Phase::kResolved) << "once is no flapping";
  Poll(2h + kFlapWindow + 1ms, true);
  EXPECT_EQ(Record().flaps, 0) << "an hour of peace is forgiven";
}

TEST_F(Lifecycle, WhatFlapsEveryOtherPollFiresThreeTimesAndThenStays) {
  hold_ = 0s;
  for (int poll = 0; poll < 1000; ++poll) Poll(poll * 30s, poll % 2 == 0);
  EXPECT_EQ(Record().phase, Phase::kFiring);
  EXPECT_EQ(Record().flaps, kFlapsDamped);
  EXPECT_EQ(Record().firing_since, Time(120s));
  EXPECT_EQ(Total(), 3u);
}

TEST_F(Lifecycle, WhatHasFlappedEndsAfterItsQuiet) {
  hold_ = 0s;
  for (int poll = 0; poll < 5; ++poll) Poll(poll * 30s, poll % 2 == 0);
  Poll(150s, false);
  EXPECT_EQ(Record().gone_since, Time(150s));
  Poll(150s + kFlapQuiet - 1ms, false);
  EXPECT_EQ(Record().phase, Phase::kFiring);
  Poll(160s + kFlapQuiet, true);
  EXPECT_EQ(Record().gone_since, std::nullopt) << "it is back";
  Poll(30min, false);
  Poll(30min + kFlapQuiet, false, false);
  EXPECT_EQ(Record().phase, Phase::kFiring) << "nothing ends because it could not be read";
  Poll(31min + kFlapQuiet, false);
  EXPECT_EQ(Record().phase, Phase::kResolved);
  EXPECT_EQ(Record().gone_since, std::nullopt);
}

TEST_F(Lifecycle, WhatBeganAndEndedIsAnEvent) {
  Poll(100s, true);
  Poll(160s, true);
  Poll(190s, true);
  Poll(220s, false);
  ASSERT_EQ(ledger_.events.size(), 2u);
  EXPECT_EQ(ledger_.events[0], (Event{.at = Time(160s), .key = key_, .text = "as of this poll"}));
  EXPECT_EQ(ledger_.events[1], (Event{.at = Time(220s),
                                      .type = EventType::kResolved,
                                      .key = key_,
                                      .firing_since = Time(160s)}));
}

TEST_F(Lifecycle, TheFindingIsAlwaysThatOfTheLastPoll) {
  Poll(100s, true);
  ledger_.findings.at(key_).finding.summary = "older";
  Poll(130s, true);
  EXPECT_EQ(Record().finding.summary, "as of this poll");
}

TEST_F(Lifecycle, OthersAreNotTouched) {
  const FindingKey other{.kind = "topic_missing", .query = "clicks", .topic = "t"};
  ledger_.findings[other] = {.finding = {.key = other}, .phase = Phase::kFiring};
  Poll(100s, true);
  EXPECT_EQ(ledger_.findings.at(other).phase, Phase::kResolved);
  EXPECT_EQ(Record().phase, Phase::kPending);
}

}  // namespace
}  // namespace tidegauge
