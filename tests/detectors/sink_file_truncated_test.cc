#include <gmock/gmock.h>

#include "tests/detectors/judge_data_files.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class SinkFileTruncated : public JudgeDataFiles {
 protected:
  SinkFileTruncated() : JudgeDataFiles("sink_file_truncated") {}
};

TEST_F(SinkFileTruncated, IsQuietWhenAllIsWhole_AndWhenNothingIsKnown) {
  ExpectQuietWhenAllIsWell_AndWhenNothingIsKnown();
}

TEST_F(SinkFileTruncated, NamesThemAndTheSizes) {
  files_->truncated = Lacking({"part-0"});
  files_->truncated_example = "part-0 has 3 bytes, where the log says 10";
  const Finding found = FoundInFiles();
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_THAT(found.missing, ElementsAre("part-0"));
  EXPECT_THAT(found.summary, HasSubstr("1 of 10 data files"));
  EXPECT_THAT(found.summary, HasSubstr("part-0 has 3 bytes, where the log says 10"));
}

TEST_F(SinkFileTruncated, FiresOneByteBelow_AndStaysUntilTheFileIsWhole) {
  BeginScans();
  for (const char* name : {"part-0", "part-1"}) Write(name);
  story_.PollFor(3min);
  EXPECT_FALSE(Fires(story_.report));
  story_.storage.Write(kOut + "/part-1", "012345678");
  EXPECT_FALSE(Fires(story_.Poll())) << "a network file system may not show it yet";
  ExpectToStayUntil([this] { story_.storage.Write(kOut + "/part-1", "0123456789"); });
}

}  // namespace
}  // namespace tidegauge::testing
