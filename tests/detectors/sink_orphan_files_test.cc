#include <gmock/gmock.h>

#include "tests/detectors/judge_data_files.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SinkOrphanFiles : public JudgeDataFiles {
 protected:
  SinkOrphanFiles() : JudgeDataFiles("sink_orphan_files") {}
};

TEST_F(SinkOrphanFiles, IsQuietWhenAllIsListed_AndWhenNothingIsKnown) {
  ExpectQuietWhenAllIsWell_AndWhenNothingIsKnown();
}

TEST_F(SinkOrphanFiles, AFailedAttemptIsAWarning) {
  files_->orphans = Lacking({"part-0", "part-1"});
  files_->orphan_bytes = 20;
  const Finding found = FoundInFiles();
  EXPECT_EQ(found.severity, Severity::kWarning);
  EXPECT_THAT(found.missing, ElementsAre("part-0", "part-1"));
  EXPECT_THAT(found.summary, HasSubstr("2 data files (20 bytes)"));
  EXPECT_THAT(found.summary, HasSubstr("Attempts that failed"));
}

TEST_F(SinkOrphanFiles, AFileYoungerThanAllThatIsListedIsInfo) {
  files_->orphans = Lacking({"part-0"});
  files_->orphans_are_newest = true;
  const Finding found = FoundInFiles();
  EXPECT_EQ(found.severity, Severity::kInfo);
  EXPECT_THAT(found.summary, HasSubstr("something else writes here"));
}

TEST_F(SinkOrphanFiles, StaysUntilTheFileIsGone) {
  BeginScans();
  for (const char* name : {"part-0", "part-1"}) Write(name);
  EXPECT_FALSE(Fires(story_.Poll()));
  story_.storage.Write(kOut + "/part-left", "rows");
  Write("part-2");
  ExpectToStayUntil([this] { story_.storage.Remove(kOut + "/part-left"); });
}

}  // namespace
}  // namespace tidegauge::testing
