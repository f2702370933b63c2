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
  EXPECT_EQ(Record().resolved_at, std::nullopt);
  Poll(220s, true);
  EXPECT_EQ(Total(), 2u);
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
