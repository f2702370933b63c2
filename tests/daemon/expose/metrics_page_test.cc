// docs/metrics.md is made here, of a page that has every family.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/expose/metrics.h"
#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

const std::string kRoot = TIDEGAUGE_SOURCE_DIR;

constexpr const char* kIntroduction =
    "# Metrics\n\n"
    "What `/metrics` serves, in the text format 0.0.4, or as OpenMetrics 1.0 for who prefers it. "
    "Made by a test from\nwhat the program serves: do not edit.\n\n"
    "Everything is from the last complete poll: a scrape asks nobody, and a series whose value is "
    "unknown is absent,\nnever 0. With `metrics.granularity: topic` or `query`, lags and offsets "
    "are summed, without the labels `partition` or\n`topic`; beyond `metrics.series_limit` this "
    "happens by itself, and `tidegauge_series_dropped` counts what is left out.\n\n"
    "| metric | type | labels | |\n|---|---|---|---|\n";

struct Family {
  std::string type;
  std::string help;
  std::vector<std::string> labels;
};

std::string ReadWhole(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Report FullReport() {
  Report report = SampleReport();
  report.findings[1].flaps = 2;
  for (FindingReport& finding : report.findings) {
    finding.finding.key.source = "1";
    finding.finding.key.log = "sink";
  }
  for (QueryReport& query : report.queries) {
    for (TopicReport& topic : query.topics) topic.source = "1";
  }
  report.queries[1].logs = {SinkLogReport()};
  report.queries[1].data_files = EndedScanReport();
  return report;
}

SelfReport FullSelf() {
  SelfReport self = SampleSelf();
  self.process.virtual_bytes = 1;
  self.process.max_fds = 1;
  self.alertmanagers = {{.url = "http://alertmanager:9093", .took = Duration(1)}};
  return self;
}

/// No value of the sample has a quote or a comma in it.
std::vector<std::string> LabelsOf(const std::string& sample) {
  std::vector<std::string> labels;
  const std::size_t end = sample.find('}');
  std::size_t at = sample.find('{');
  while (at < end && end != std::string::npos) {
    const std::size_t equals = sample.find('=', at);
    labels.push_back(sample.substr(at + 1, equals - at - 1));
    at = sample.find(',', equals);
  }
  return labels;
}

std::map<std::string, Family> FamiliesOf(const std::string& page) {
  std::map<std::string, Family> families;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const bool comment = line.starts_with("# ");
    const std::size_t begin = comment ? 7 : 0;
    const std::size_t end = line.find_first_of(comment ? " " : "{ ", begin);
    Family& family = families[line.substr(begin, end - begin)];
    if (line.starts_with("# HELP ")) family.help = line.substr(end + 1);
    if (line.starts_with("# TYPE ")) family.type = line.substr(end + 1);
    if (comment) continue;
    std::vector<std::string> labels = LabelsOf(line);
    if (labels.size() > family.labels.size()) family.labels = std::move(labels);
  }
  return families;
}

std::map<std::string, Family> AllFamilies() {
  const Report report = FullReport();
  return FamiliesOf(RenderMetrics(&report, FullSelf(), {}, MetricFormat::kText));
}

/// What is declared in `source` as `"name", kGauge`, and so on, with the suffix of its type.
void AddDeclared(const std::string& source, std::string_view type, std::string_view suffix,
                 std::set<std::string>& names) {
  for (std::size_t at = source.find(type); at != std::string::npos;
       at = source.find(type, at + 1)) {
    const std::size_t comma = source.find_last_not_of(" \n", at - 1);
    if (source.substr(comma - 1, 2) != "\",") continue;
    const std::size_t quote = source.rfind('"', comma - 2);
    const std::string name = source.substr(quote + 1, comma - quote - 2);
    if (name.starts_with("tidegauge_") || name.starts_with("process_")) {
      names.insert(name + std::string(suffix));
    }
  }
}

/// As the sources declare them.
std::set<std::string> DeclaredNames() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot + "/daemon/expose")) {
    const std::string source = ReadWhole(entry.path());
    AddDeclared(source, "kGauge", "", names);
    AddDeclared(source, "kCounter", "_total", names);
    AddDeclared(source, "kInfo", "_info", names);
  }
  return names;
}

TEST(MetricsPage, has_every_family_that_the_program_knows) {
  std::set<std::string> shown;
  for (const auto& [name, family] : AllFamilies()) shown.insert(name);
  EXPECT_EQ(shown, DeclaredNames()) << "FullReport, above, should have it";
}

TEST(MetricsPage, the_committed_one_is_current) {
  std::string page = kIntroduction;
  for (const auto& [name, family] : AllFamilies()) {
    page += fmt::format("| `{}` | {} | {} | {} |\n", name, family.type,
                        fmt::join(family.labels, ", "), family.help);
  }
  const std::string file = kRoot + "/docs/metrics.md";
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file) << page;
  EXPECT_EQ(ReadWhole(file), page) << "run this test with UPDATE_GOLDEN=1";
}

}  // namespace
}  // namespace tidegauge
