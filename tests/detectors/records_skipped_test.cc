#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"
#include "tests/detectors/set_field.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class RecordsSkipped : public JudgeOne {
 protected:
  RecordsSkipped() : JudgeOne("records_skipped") {}

  void Skip(BatchId batch, std::vector<FindingPartition> partitions, Bound bound = Bound::kExact) {
    view_.skips.push_back({.query = "orders",
                           .topic = "t",
                           .batch = batch,
                           .bound = bound,
                           .partitions = std::move(partitions)});
  }
};

TEST_F(RecordsSkipped, IsQuietWhenNothingWasPassedOver) {
  Add(0, 500, 0, 800);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(RecordsSkipped, AddsUpWhatWasPassedOverAtDifferentTimes) {
  Skip(3, {{.partition = 1, .checkpoint = 40, .records = 40}});
  Skip(9, {{.partition = 0, .checkpoint = 5, .records = 5},
           {.partition = 1, .checkpoint = 7, .records = 7}});
  const Finding found = Found();
  EXPECT_EQ(found.records, 52);
  EXPECT_EQ(found.batch, 9);
  ASSERT_THAT(found.partitions, SizeIs(2));
  EXPECT_EQ(found.partitions[0].partition, 0);
  EXPECT_EQ(found.partitions[1].records, 47);
  EXPECT_EQ(found.records_bound, Bound::kExact);
}

TEST_F(RecordsSkipped, RestsByItselfOnlyIfThatIsConfigured) {
  Skip(3, {{.partition = 0, .records = 40}});
  view_.skips.back().seen_at = view_.now - std::chrono::hours(24);
  EXPECT_THAT(Check(), SizeIs(1));
  const Duration day = std::chrono::hours(24);
  SetField longer("resolve_after", day + Duration(1));
  detector_->VisitSettings(longer);
  EXPECT_THAT(Check(), SizeIs(1));
  SetField exactly("resolve_after", day);
  detector_->VisitSettings(exactly);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(RecordsSkipped, OneBoundMakesTheSumABound) {
  Skip(3, {{.partition = 0, .records = 40}});
  Skip(4, {{.partition = 0, .records = 1}}, Bound::kAtMost);
  EXPECT_EQ(Found().records_bound, Bound::kAtMost);
}

TEST_F(RecordsSkipped, ThePositionJustAtTheLogStartSkipsNothing_OneRecordAboveItSkipsOne) {
  for (const Offset start : {0, 1}) {
    Scenario story;
    story.kafka.Set("t", "A", {{0, {0, 1}}});
    story.query().Batch({{"t", {{0, start}}}});
    story.Poll();
    story.kafka.Set("t", "B", {{0, {0, 5}}});
    story.Poll();
    story.query().Batch({{"t", {{0, 5}}}});
    story.Poll();
    EXPECT_EQ(Fires(story.report), start == 1);
    EXPECT_EQ(The(story.report, id_).records,
              start == 1 ? std::optional<std::int64_t>(1) : std::nullopt);
  }
}

TEST_F(RecordsSkipped, StaysUntilAcknowledged_WhateverCannotBeRead_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.Set("t", "B", {{0, {0, 800}}});
  story_.Poll();
  story_.query().Batch({{"t", {{0, 800}}}});
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Down();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "stale file handle"};
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.unreadable.clear();
  story_.kafka.Up();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  for (int batch = 0; batch < 150; ++batch) story_.query().Batch({{"t", {{0, 800}}}});
  EXPECT_TRUE(Fires(story_.Poll())) << "also when the batch itself is long purged";
  EXPECT_EQ(story_.report.findings_total.at(id_), 1u);
}

}  // namespace
}  // namespace tidegauge::testing
