#include <gmock/gmock.h>

#include "tests/detectors/judge_data_files.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class SinkPathOutsideRoot : public JudgeDataFiles {
 protected:
  SinkPathOutsideRoot() : JudgeDataFiles("sink_path_outside_root") {}
};

TEST_F(SinkPathOutsideRoot, IsQuietWhenAllIsInside_AndWhenNothingIsKnown) {
  ExpectQuietWhenAllIsWell_AndWhenNothingIsKnown();
}

TEST_F(SinkPathOutsideRoot, NamesBothPlaces) {
  files_->outside = Lacking({"/old/orders/part-0"});
  const Finding found = FoundInFiles();
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_THAT(found.missing, ElementsAre("/old/orders/part-0"));
  EXPECT_THAT(found.summary, HasSubstr("writes to /out/orders"));
  EXPECT_THAT(found.summary, HasSubstr("1 of 10 entries"));
}

TEST_F(SinkPathOutsideRoot, StaysUntilTheEntriesAreRewritten) {
  BeginScans();
  for (const char* name : {"part-0", "part-1"}) Write(name);
  EXPECT_FALSE(Fires(story_.Poll()));
  const std::string log = kLogDirectory + "/0";
  const std::string text = story_.storage.TextOf(log);
  std::string moved = text;
  moved.replace(moved.find(kOut), kOut.size(), "/old/orders");
  story_.storage.Write(log, moved);
  story_.Wait(1min);
  story_.storage.SetClock(story_.now);
  ExpectToStayUntil([&] { story_.storage.Write(log, text); });
}

}  // namespace
}  // namespace tidegauge::testing
