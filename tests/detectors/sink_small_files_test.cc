#include <gmock/gmock.h>

#include "tests/detectors/judge_data_files.h"
#include "tests/detectors/set_field.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kMany = 100'000;
constexpr std::uint64_t kSmall = 1 << 20;

class SinkSmallFiles : public JudgeDataFiles {
 protected:
  SinkSmallFiles() : JudgeDataFiles("sink_small_files") {}

  std::vector<Finding> CheckFiles(std::uint64_t listed, std::uint64_t bytes) {
    files_->listed = listed;
    files_->listed_bytes = bytes;
    return JudgeDataFiles::CheckFiles();
  }
};

TEST_F(SinkSmallFiles, IsQuietJustBelowTheNumber_AndSpeaksAtIt) {
  EXPECT_THAT(CheckFiles(kMany - 1, kMany), IsEmpty());
  const auto found = CheckFiles(kMany, 40 * kMany);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::kInfo);
  EXPECT_THAT(found[0].summary, HasSubstr("100000 data files of 40 bytes on average"));
}

TEST_F(SinkSmallFiles, IsQuietJustAboveTheSize) {
  EXPECT_EQ(CheckFiles(kMany, kSmall * kMany).size(), 1u);
  EXPECT_THAT(CheckFiles(kMany, (kSmall + 1) * kMany), IsEmpty());
}

TEST_F(SinkSmallFiles, NothingKnownIsNothingSaid) {
  view_.data_files = nullptr;
  EXPECT_THAT(Check(), IsEmpty());
  EXPECT_THAT(CheckFiles(0, 0), IsEmpty());
}

TEST_F(SinkSmallFiles, StaysUntilTheFilesAreLarger) {
  const auto detector = std::ranges::find(story_.rules.detectors, id_,
                                          [](const DetectorPtr& one) { return one->info().id; });
  SetField two("min_files", std::int64_t{2});
  (*detector)->VisitSettings(two);
  BeginScans();
  for (const char* name : {"part-0", "part-1"}) Write(name);
  ExpectToStayUntil([&] {
    SetField none("small_bytes", std::int64_t{9});
    (*detector)->VisitSettings(none);
  });
}

}  // namespace
}  // namespace tidegauge::testing
