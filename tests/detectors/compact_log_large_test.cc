#include <gmock/gmock.h>

#include "core/history/compact_growth.h"
#include "tests/detectors/judge_log.h"
#include "tests/detectors/set_field.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;

constexpr std::uint64_t kThreshold = 128 << 20;
constexpr std::uint64_t kCritical = 1 << 30;

/// Sizes are put into the view: a file of a gigabyte takes long to write.
class CompactLogLarge : public JudgeLog {
 protected:
  CompactLogLarge() : JudgeLog("compact_log_large") {
    Files({"9.compact", "19.compact"});
    Committed(19);
  }
  std::vector<Finding> CheckSizes(std::uint64_t before, std::uint64_t newest) {
    CheckLogs();
    auto log = std::make_shared<CompactibleLog>(*view_.logs.at(0).log);
    log->compacts = {{.batch = 19, .bytes = newest}, {.batch = 9, .bytes = before}};
    view_.logs.at(0).log = log;
    CompactSizes sizes;
    NoteCompactSizes(sizes, *log);
    view_.logs.at(0).growth = GrowthOf(sizes, *log);
    return Check();
  }
};

TEST_F(CompactLogLarge, IsQuietJustBelowTheThreshold_AndSpeaksAtIt) {
  EXPECT_THAT(CheckSizes(kThreshold - 1, kThreshold - 1), IsEmpty());
  const auto found = CheckSizes(kThreshold, kThreshold);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::kWarning);
  EXPECT_EQ(found[0].expected_at, std::nullopt) << "it is there already";
}

TEST_F(CompactLogLarge, TheNextFileCounts) {
  EXPECT_THAT(CheckSizes(kThreshold - 21, kThreshold - 11), IsEmpty());
  const auto found = CheckSizes(kThreshold - 20, kThreshold - 10);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].batch, 29);
  EXPECT_EQ(found[0].batches_left, 10);
  EXPECT_EQ(found[0].expected_at, kStart + 10min);
  EXPECT_THAT(found[0].summary, HasSubstr("grows by"));
}

TEST_F(CompactLogLarge, SaysWhenItWillBeCritical) {
  constexpr std::uint64_t kGrowth = 10 << 20;
  const auto found = CheckSizes(kThreshold - kGrowth, kThreshold);
  ASSERT_EQ(found.size(), 1u);
  // 896 MiB more are 90 compactions of ten batches, each a minute after the other.
  EXPECT_THAT(found[0].summary, HasSubstr("At this rate batch 919 passes 1073.7 MB, about 2026-"));
  checkpoint_->batch_times.clear();
  const auto without_rhythm = CheckSizes(kThreshold - kGrowth, kThreshold);
  EXPECT_THAT(without_rhythm[0].summary, HasSubstr("At this rate batch 919 passes 1073.7 MB."));
  EXPECT_THAT(CheckSizes(kThreshold, kThreshold)[0].summary, Not(HasSubstr("At this rate")));
  EXPECT_THAT(CheckSizes(kThreshold - 1, kThreshold)[0].summary, Not(HasSubstr("At this rate")));
}

TEST_F(CompactLogLarge, AFileThatShrinksLegallyIsNotForetoldToGrow) {
  EXPECT_THAT(CheckSizes(kCritical, kThreshold - 1), IsEmpty()) << "retention took entries out";
}

TEST_F(CompactLogLarge, IsCriticalAtAGigabyte) {
  EXPECT_EQ(CheckSizes(kCritical - 1, kCritical - 1)[0].severity, Severity::kWarning);
  EXPECT_EQ(CheckSizes(kCritical, kCritical)[0].severity, Severity::kCritical);
}

TEST_F(CompactLogLarge, WithoutACompactFileNothingIsKnown) {
  Remove("9.compact");
  Remove("19.compact");
  EXPECT_THAT(CheckLogs(), IsEmpty());
  Unreadable();
  EXPECT_THAT(CheckLogs(), IsEmpty());
}

TEST_F(CompactLogLarge, StaysWhileTheLogCannotBeRead_AndOverARestart) {
  Remove("19.compact");
  BeginStory();
  RunTo(9);
  const auto detector = std::ranges::find(story_.rules.detectors, id_,
                                          [](const DetectorPtr& one) { return one->info().id; });
  SetField set("threshold_bytes", std::int64_t{1000});
  (*detector)->VisitSettings(set);
  Files({"9.compact"}, "v1\n{\"path\":\"" + std::string(1000, 'p') + "\"}");
  EXPECT_TRUE(Fires(story_.Poll()));
  Unreadable();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.storage.ClearFaults();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  Files({"9.compact"});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
