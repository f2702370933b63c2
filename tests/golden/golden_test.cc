// A folder is a story: polls of fixtures that real Spark wrote, against what Kafka held then. What
// is shown after the last poll is compared byte for byte. UPDATE_GOLDEN=1 writes it anew.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/replay_file.h"
#include "daemon/expose/metrics.h"
#include "daemon/expose/report_json.h"
#include "daemon/expose/text.h"
#include "tests/support/scenario.h"

namespace tidegauge::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kTests = fs::path(TIDEGAUGE_SOURCE_DIR) / "tests";

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> Stories() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kTests / "golden")) {
    if (fs::exists(entry.path() / "polls")) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

class Golden : public ::testing::TestWithParam<std::string> {
 protected:
  fs::path folder() const { return kTests / "golden" / GetParam(); }

  /// One line of `polls`.
  void Poll(std::istringstream line) {
    std::string query;
    std::string checkpoint;
    std::string answers;
    std::int64_t at_ms = 0;
    line >> query >> checkpoint >> answers >> at_ms;
    ASSERT_TRUE(line) << "polls: " << line.str();
    std::string sink;
    line >> sink;
    auto cluster = LoadReplayFile(folder() / answers);
    ASSERT_TRUE(cluster) << answers;
    story_.now = Time(Duration(at_ms));
    story_.kafka.Replace(std::move(*cluster));
    const std::string path = story_.query(query).path();
    story_.query(query).RemoveAll();
    story_.storage.Load(kTests / "fixtures" / checkpoint, path);
    if (!sink.empty()) LoadSink(query, sink);
    story_.Poll(Duration::zero());
    ++story_.report.poll;
  }

  void LoadSink(const std::string& query, const fs::path& sink) {
    const std::string path = "/data/out/" + query;
    story_.sinks[query] = path;
    story_.storage.Remove(path);
    story_.storage.MakeDirectory(path);
    // What was deleted is no directory of the fixture either.
    if (fs::exists(kTests / "fixtures" / sink)) {
      story_.storage.Load(kTests / "fixtures" / sink, path);
    }
  }

  void Compare(const std::string& name, const std::string& shown) const {
    const fs::path path = folder() / name;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << shown;
      return;
    }
    EXPECT_EQ(shown, Read(path)) << path << " differs; UPDATE_GOLDEN=1 writes it anew";
  }

  Scenario story_;
};

TEST_P(Golden, IsShownAsItWas) {
  std::ifstream polls(folder() / "polls");
  for (std::string line; std::getline(polls, line);) {
    if (!line.starts_with('#')) Poll(std::istringstream(line));
  }
  const SelfReport self{.version = "0.1.0"};
  Compare("metrics.txt", RenderMetrics(&story_.report, self, {}, MetricFormat::kText));
  Compare("report.json", ReportJson(story_.report) + "\n");
  Compare("report.txt", ReportText(story_.report, false));
}

INSTANTIATE_TEST_SUITE_P(Stories, Golden, ::testing::ValuesIn(Stories()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace tidegauge::testing
