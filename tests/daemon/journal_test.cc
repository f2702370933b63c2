#include "daemon/journal.h"

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/log/log.h"

namespace tidegauge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> Changes(const Report* before, const Report& now) {
  StartLog(LogLevel::kInfo, LogFormat::kLogfmt);
  testing::internal::CaptureStderr();
  LogChanges(before, now);
  std::istringstream text(testing::internal::GetCapturedStderr());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

FindingReport Found(Phase phase) {
  return {.finding = {.key = {.kind = "topic_recreated", .query = "orders", .topic = "t"},
                      .summary = "it was recreated"},
          .phase = phase};
}

Report Quiet() {
  Report report;
  report.clusters.push_back({.kafka_cluster = "main", .up = true, .cluster_id = "abc"});
  report.queries.push_back({.query = "orders", .checkpoint = "/c/orders"});
  return report;
}

TEST(LogChanges, says_at_first_what_is_watched_and_answers) {
  EXPECT_THAT(Changes(nullptr, Quiet()),
              ElementsAre(AllOf(HasSubstr("cluster answers"), HasSubstr("cluster_id=abc")),
                          AllOf(HasSubstr("watching query"), HasSubstr("checkpoint=/c/orders"))));
}

TEST(LogChanges, says_nothing_of_what_stays) {
  Report report = Quiet();
  report.findings.push_back(Found(Phase::kFiring));
  report.queries[0].unknown = {"torn"};
  report.clusters[0].up = false;
  report.unknown = {"/x matched nothing"};
  EXPECT_THAT(Changes(&report, report), IsEmpty());
}

TEST(LogChanges, says_once_that_a_finding_fires_and_once_that_it_is_resolved) {
  const Report quiet = Quiet();
  Report pending = Quiet();
  pending.findings.push_back(Found(Phase::kPending));
  Report firing = Quiet();
  firing.findings.push_back(Found(Phase::kFiring));
  EXPECT_THAT(Changes(&quiet, pending), IsEmpty());
  EXPECT_THAT(Changes(&pending, firing),
              ElementsAre(AllOf(HasSubstr("level=error"), HasSubstr("it was recreated"),
                                HasSubstr("kind=topic_recreated"), HasSubstr("records=unknown"))));
  EXPECT_THAT(Changes(&firing, quiet),
              ElementsAre(AllOf(HasSubstr("level=info"), HasSubstr("resolved"))));
}

TEST(LogChanges, gives_a_finding_the_level_of_its_severity) {
  const Report quiet = Quiet();
  Report warned = Quiet();
  warned.findings.push_back(Found(Phase::kFiring));
  warned.findings[0].finding.severity = Severity::kWarning;
  EXPECT_THAT(Changes(&quiet, warned), ElementsAre(HasSubstr("level=warn")));
}

TEST(LogChanges, says_why_a_cluster_does_not_answer_and_when_it_does_again) {
  const Report up = Quiet();
  Report down = Quiet();
  down.clusters[0] = {.kafka_cluster = "main", .error = "refused"};
  EXPECT_THAT(Changes(&up, down),
              ElementsAre(AllOf(HasSubstr("level=warn"), HasSubstr("reason=refused"))));
  EXPECT_THAT(Changes(&down, up), ElementsAre(HasSubstr("cluster answers")));
}

TEST(LogChanges, says_why_a_query_cannot_be_judged_and_when_it_can_again) {
  const Report judged = Quiet();
  Report unjudged = Quiet();
  unjudged.queries[0].unknown = {"torn", "late"};
  EXPECT_THAT(Changes(&judged, unjudged),
              ElementsAre(AllOf(HasSubstr("query=orders"), HasSubstr("torn; late"))));
  EXPECT_THAT(Changes(&unjudged, judged), ElementsAre(HasSubstr("judged again")));
}

TEST(LogChanges, says_of_a_cluster_that_is_down_nothing_for_each_of_its_queries) {
  Report up = Quiet();
  up.queries[0].kafka_cluster = "main";
  Report down = up;
  down.clusters[0] = {.kafka_cluster = "main", .error = "refused"};
  down.queries[0].unknown = {"cluster main: refused"};
  EXPECT_THAT(Changes(&up, down), ElementsAre(HasSubstr("cluster does not answer")));
  EXPECT_THAT(Changes(&down, up), ElementsAre(HasSubstr("cluster answers")));
  Report worse = down;
  worse.queries[0].unknown.push_back("torn");
  EXPECT_THAT(Changes(&down, worse),
              ElementsAre(AllOf(HasSubstr("cannot be judged whole"), HasSubstr("reason=torn"))));
}

TEST(LogChanges, says_a_reason_once_whatever_its_numbers_are) {
  Report unjudged = Quiet();
  unjudged.queries[0].unknown = {"no leader: partitions 1, 2, 7"};
  Report other_numbers = Quiet();
  other_numbers.queries[0].unknown = {"no leader: partitions 2"};
  EXPECT_THAT(Changes(&unjudged, other_numbers), IsEmpty());
  Report other_reason = Quiet();
  other_reason.queries[0].unknown = {"not allowed: partitions 2"};
  EXPECT_THAT(Changes(&unjudged, other_reason), ElementsAre(HasSubstr("not allowed")));
}

TEST(LogChanges, says_that_queries_come_and_go) {
  const Report one = Quiet();
  Report other = Quiet();
  other.queries[0].query = "clicks";
  EXPECT_THAT(Changes(&one, other),
              UnorderedElementsAre(AllOf(HasSubstr("watching"), HasSubstr("clicks")),
                                   AllOf(HasSubstr("gone"), HasSubstr("orders"))));
}

}  // namespace
}  // namespace tidegauge
