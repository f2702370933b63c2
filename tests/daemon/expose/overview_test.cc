#include "daemon/expose/overview.h"

#include <gtest/gtest.h>

#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

TEST(OverviewOf, counts_what_fires_apart_from_what_is_pending) {
  const Report report = SampleReport();
  const Overview overview = OverviewOf(report);
  EXPECT_EQ(overview.critical, 1U);
  EXPECT_EQ(overview.warning, 0U);
  EXPECT_EQ(overview.pending, 1U);
  EXPECT_EQ(overview.judged, 2U);
  EXPECT_EQ(overview.unjudged, 1U);
  EXPECT_EQ(overview.other_unknown, 2U);
  EXPECT_FALSE(overview.all_clear());
}

TEST(OverviewOf, puts_what_fires_first) {
  const Report report = SampleReport();
  const Overview overview = OverviewOf(report);
  ASSERT_EQ(overview.findings.size(), 2U);
  EXPECT_EQ(overview.findings[0], &report.findings[1]);
}

TEST(OverviewOf, remembers_as_long_as_the_query_it_knows_least_of) {
  const Report report = SampleReport();
  EXPECT_EQ(OverviewOf(report).remembered_since, kPolledAt - std::chrono::hours(1));
}

TEST(OverviewOf, a_query_without_kafka_needs_no_memory) {
  Report report = QuietReport();
  report.queries.push_back({.query = "rates", .state = QueryState::kOk, .checkpoint_up = true});
  EXPECT_EQ(OverviewOf(report).remembered_since, kPolledAt - std::chrono::hours(1));
}

TEST(OverviewOf, a_query_that_is_partly_unknown_is_not_judged) {
  Report report = QuietReport();
  report.queries[0].unknown = {"topic logs: not answered"};
  const Overview overview = OverviewOf(report);
  EXPECT_FALSE(overview.all_clear());
  EXPECT_EQ(Headline(overview), "1 query not judged");
}

TEST(OverviewOf, a_silent_cluster_forbids_the_all_clear) {
  Report report = QuietReport();
  report.clusters[0].up = false;
  EXPECT_EQ(Headline(OverviewOf(report)), "1 unknown");
}

TEST(Headline, counts_queries_of_an_all_clear) {
  Report report = QuietReport();
  report.queries.push_back(report.queries[0]);
  EXPECT_EQ(Headline(OverviewOf(report)), "All clear: 2 queries judged");
}

}  // namespace
}  // namespace tidegauge
