#include <gmock/gmock.h>

#include "tests/detectors/judge_data_files.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class SinkFileMissing : public JudgeDataFiles {
 protected:
  SinkFileMissing() : JudgeDataFiles("sink_file_missing") {}
};

TEST_F(SinkFileMissing, IsQuietWhenAllIsThere_AndWhenNothingIsKnown) {
  ExpectQuietWhenAllIsWell_AndWhenNothingIsKnown();
}

TEST_F(SinkFileMissing, NamesThem) {
  files_->missing = Lacking({"day=1/part-0", "part-1"});
  const Finding found = FoundInFiles();
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_EQ(found.key.log, "sink");
  EXPECT_EQ(found.key.kafka_cluster, "");
  EXPECT_THAT(found.missing, ElementsAre("day=1/part-0", "part-1"));
  EXPECT_THAT(found.summary, HasSubstr("2 of 10 data files"));
  EXPECT_THAT(found.summary, HasSubstr("day=1/part-0 and part-1"));
}

TEST_F(SinkFileMissing, FiresOnceItHasHeld_AndStaysUntilTheFileIsBack) {
  BeginScans();
  for (const char* name : {"part-0", "part-1", "part-2"}) Write(name);
  EXPECT_FALSE(Fires(story_.Poll()));
  story_.storage.Remove(kOut + "/part-1");
  EXPECT_FALSE(Fires(story_.Poll())) << "a network file system may not show it yet";
  ExpectToStayUntil([this] { story_.storage.Write(kOut + "/part-1", "0123456789"); });
}

TEST_F(SinkFileMissing, EndsWhenTheScanIsSwitchedOff) {
  BeginScans();
  for (const char* name : {"part-0", "part-1"}) Write(name);
  story_.storage.Remove(kOut + "/part-1");
  story_.PollFor(3min);
  EXPECT_TRUE(Fires(story_.report));
  story_.scanned.clear();
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
