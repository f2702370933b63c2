// The same week with each fault put in at random moments: each is found at the first poll that can
// know of it, fires when it has held for its hold time, and is not lost.
#include "tests/week/faults.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/week/week.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using namespace std::chrono_literals;

constexpr int kMomentsOfEach = 2;
constexpr int kPollsOfAWeek = 20'160;

const std::vector<Fault>& Faults() {
  static const std::vector<Fault> kFaults = [] {
    std::vector<Fault> all;
    for (const auto* some : {&kTopicFaults, &kCheckpointFaults, &kSinkFaults}) {
      std::ranges::copy(*some, std::back_inserter(all));
    }
    return all;
  }();
  return kFaults;
}

/// Kinds that no fault here makes.
const std::map<std::string, std::string>& Uncovered() {
  static const std::map<std::string, std::string> kUncovered{
      {"compact_log_large", "a log of 128 MB would take the test's time and memory"},
      {"sink_small_files", "so would 100,000 data files"},
  };
  return kUncovered;
}

std::uint64_t Seed() {
  const char* given = std::getenv("TIDEGAUGE_WEEK_SEED");
  return given == nullptr ? 2 : std::stoull(given);
}

Duration HoldOf(const std::string& kind) {
  const auto& detectors = Week::rules().detectors;
  return (*std::ranges::find(
              detectors, kind,
              [](const DetectorPtr& detector) { return std::string(detector->info().id); }))
      ->hold();
}

/// One fault in a week of its own.
class Trial {
 public:
  Trial(const Week& week, const Fault& fault) : week_(week), fault_(fault) {}

  void Run() {
    SCOPED_TRACE(
        fmt::format("{} at {:%a %H:%M:%S}, poll {}", fault_.name, week_.now(), week_.polls()));
    week_.Calm();
    if (!BringAbout()) return;
    fault_.put(week_);
    put_at_ = week_.now();
    const Duration longest = fault_.within + 11min;
    while (week_.now() < put_at_ + longest && !AllFire()) Poll();
    for (const std::string& kind : fault_.kinds) ExpectInTime(kind);
    week_.RestartDaemon();
    for (int poll = 0; poll < 40; ++poll) {
      Poll();
      if (!fault_.passes && !AllFire()) {
        ADD_FAILURE() << "lost after " << poll << " polls";
        return;
      }
    }
  }

 private:
  /// Lives on until the query is in the state that the fault wants, and was so at the last poll;
  /// anywhere between two polls.
  bool BringAbout() {
    for (int poll = 0; poll < 600; ++poll) {
      week_.Poll();
      const SimulatedQuery& query = week_.query(fault_.query);
      const bool seen_so = query.state() == fault_.when;
      const BatchId batch = query.batch();
      week_.LiveUntil(week_.now() + week_.dice.Between(100ms, 29s));
      if (seen_so && query.state() == fault_.when && query.batch() == batch) return true;
    }
    ADD_FAILURE() << "the query never was in the state that the fault wants";
    return false;
  }

  void Poll() {
    for (const FindingReport& found : week_.Poll().findings) Take(found);
  }

  void Take(const FindingReport& found) {
    const FindingKey& key = found.finding.key;
    const bool of_query = key.query == fault_.query;
    const bool of_others = fault_.others.contains(key.query);
    const bool expected = (of_query && fault_.kinds.contains(key.kind)) ||
                          ((of_query || of_others) && fault_.also.contains(key.kind));
    if (of_query) seen_at_.try_emplace(key.kind, found.pending_since);
    if (found.phase != Phase::kFiring) return;
    if (of_query) fired_at_.try_emplace(key.kind, *found.firing_since);
    if (expected || !told_.insert(key.kind + key.query).second) return;
    ADD_FAILURE() << key.kind << " of " << key.query << " fires too, "
                  << (week_.now() - put_at_) / 1s << " s after: " << found.finding.summary;
  }

  bool AllFire() const {
    return std::ranges::all_of(fault_.kinds, [&](const std::string& kind) {
      return std::ranges::any_of(week_.report.findings, [&](const FindingReport& found) {
        return found.phase == Phase::kFiring && found.finding.key.kind == kind &&
               found.finding.key.query == fault_.query;
      });
    });
  }

  void ExpectInTime(const std::string& kind) {
    const auto seen = seen_at_.find(kind);
    if (seen == seen_at_.end()) {
      ADD_FAILURE() << kind << " was not found";
      return;
    }
    EXPECT_LE(seen->second - put_at_, kBetweenPolls + fault_.within) << kind;
    const auto fired = fired_at_.find(kind);
    if (fired == fired_at_.end()) {
      ADD_FAILURE() << kind << " was seen, and never fired";
      return;
    }
    const Duration hold = HoldOf(kind);
    const Duration confirmed = (hold + kBetweenPolls - 1ms) / kBetweenPolls * kBetweenPolls;
    EXPECT_EQ(fired->second - seen->second, confirmed) << kind;
  }

  Week week_;
  const Fault& fault_;
  Time put_at_;
  std::map<std::string, Time> seen_at_;
  std::map<std::string, Time> fired_at_;
  std::set<std::string> told_;
};

TEST(FaultyWeek, EachFaultIsFoundInTimeAndNotLost) {
  const char* only = std::getenv("TIDEGAUGE_WEEK_FAULT");
  Week week = HealthyWeek(Seed());
  Dice dice(Seed());
  std::multimap<int, const Fault*> plan;
  for (const Fault& fault : Faults()) {
    if (only != nullptr && fault.name != only) continue;
    // Not before it has lived for a day, and not at the weekend of the office.
    for (int i = 0; i < kMomentsOfEach; ++i) {
      plan.emplace(static_cast<int>(2880 + dice.Below(4 * 2880 - 600)), &fault);
    }
  }
  for (auto next = plan.begin(); next != plan.end() && week.polls() < kPollsOfAWeek;) {
    week.Poll();
    for (; next != plan.end() && next->first == week.polls(); ++next) {
      Trial(week, *next->second).Run();
    }
  }
}

TEST(FaultyWeek, HasAFaultForEachKind) {
  std::set<std::string> covered;
  for (const Fault& fault : Faults()) covered.insert(fault.kinds.begin(), fault.kinds.end());
  std::vector<std::string> left_out;
  for (const DetectorPtr& detector : Week::rules().detectors) {
    const std::string kind(detector->info().id);
    if (covered.contains(kind) == Uncovered().contains(kind)) left_out.push_back(kind);
  }
  EXPECT_THAT(left_out, IsEmpty());
}

}  // namespace
}  // namespace tidegauge::testing
