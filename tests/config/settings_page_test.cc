#include "config/settings_page.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include "config/read_text.h"
#include "core/detectors/all.h"

namespace tidegauge {
namespace {

using ::testing::HasSubstr;

const std::string kRoot = TIDEGAUGE_SOURCE_DIR;

TEST(SettingsPage, has_each_setting_with_its_path_default_and_limits) {
  const std::string page = SettingsPage(AllDetectors());
  EXPECT_THAT(page, HasSubstr("| `poll_interval` | `30s` | How often checkpoints are read"));
  EXPECT_THAT(page, HasSubstr("\n## `kafka[]`\n"));
  EXPECT_THAT(page, HasSubstr("| `kafka[].name` | *`main`* |"));
  EXPECT_THAT(page, HasSubstr("| `read_concurrency` | `8` | How many checkpoints are read at the "
                              "same time. 1 to "));
  EXPECT_THAT(page, HasSubstr("| `metrics.granularity` | `partition` | "));
  EXPECT_THAT(page, HasSubstr("One of partition, topic, query. |"));
  EXPECT_THAT(page, HasSubstr("| `detectors.batch_stuck.factor` | `4` |"));
}

TEST(SettingsPage, the_committed_one_is_current) {
  const std::string file = kRoot + "/docs/config.md";
  const std::string page = SettingsPage(AllDetectors());
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file) << page;
  EXPECT_EQ(ReadText(file, 1 << 20).value_or("no such file"), page)
      << "run this test with UPDATE_GOLDEN=1";
}

}  // namespace
}  // namespace tidegauge
