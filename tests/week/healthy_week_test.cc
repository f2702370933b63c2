// A week in which everything happens that happens, and nothing is wrong: nothing may fire.
#include <cstdlib>
#include <map>
#include <string>

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/week/week.h"

namespace tidegauge::testing {
namespace {

constexpr int kPollsOfAWeek = 20'160;

std::string Say(const Week& week, const FindingReport& found) {
  return fmt::format("poll {} ({:%a %H:%M:%S}) {}: {} of {}: {}", week.polls(),
                     std::chrono::floor<std::chrono::seconds>(week.now()), ToString(found.phase),
                     found.finding.key.kind, found.finding.key.query, found.finding.summary);
}

TEST(HealthyWeek, NothingFires) {
  const char* seed = std::getenv("TIDEGAUGE_WEEK_SEED");
  Week week = HealthyWeek(seed == nullptr ? 1 : std::stoull(seed));
  std::map<FindingKey, std::string> fired;
  std::map<FindingKey, std::string> pending;
  std::map<std::string, int> judged;
  while (week.polls() < kPollsOfAWeek) {
    for (const FindingReport& found : week.Poll().findings) {
      auto& told = found.phase == Phase::kPending ? pending : fired;
      told.try_emplace(found.finding.key, Say(week, found));
    }
    for (const QueryReport& query : week.report.queries) {
      if (query.state == QueryState::kOk) ++judged[query.query];
    }
  }
  for (const auto& [key, text] : pending) fmt::print("{}\n", text);
  for (const auto& [key, text] : fired) ADD_FAILURE() << text;
  // It was a week: everything ran, and was judged but for the times when something did not answer.
  for (const auto& [query, least_batches] : std::map<std::string, BatchId>{{"async", 25'000},
                                                                           {"clicks", 10'000},
                                                                           {"hourly", 168},
                                                                           {"idle", 10},
                                                                           {"joined", 4000},
                                                                           {"nightly", 11},
                                                                           {"office", 1000},
                                                                           {"orders", 9000}}) {
    EXPECT_GT(week.query(query).batch(), least_batches) << query;
    EXPECT_GT(judged[query], kPollsOfAWeek * 99 / 100) << query;
  }
}

}  // namespace
}  // namespace tidegauge::testing
