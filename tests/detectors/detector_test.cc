#include "core/detectors/detector.h"

#include <set>

#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::AnyOf;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

/// Collects the names it is shown, and sets what it has values for.
struct Recorder : SettingsVisitor {
  void Field(std::string_view name, bool& value, std::string_view doc) override {
    Note(name, doc);
    if (name == "enabled") value = false;
  }
  void Field(std::string_view name, std::int64_t&, std::string_view doc) override {
    Note(name, doc);
  }
  void Field(std::string_view name, double&, std::string_view doc) override { Note(name, doc); }
  void Field(std::string_view name, std::string&, std::string_view doc) override {
    Note(name, doc);
  }
  void Field(std::string_view name, Duration& value, std::string_view doc) override {
    Note(name, doc);
    value = 7min;
  }
  void Field(std::string_view name, Severity& value, std::string_view doc) override {
    Note(name, doc);
    value = Severity::kInfo;
  }
  void Note(std::string_view name, std::string_view doc) {
    names.emplace_back(name);
    EXPECT_FALSE(doc.empty()) << name;
  }
  std::vector<std::string> names;
};

TEST(Detectors, HaveNamesOfTheirOwnAndAReason) {
  std::set<std::string_view> ids;
  for (const DetectorPtr& detector : AllDetectors()) {
    EXPECT_TRUE(ids.insert(detector->info().id).second) << detector->info().id;
    EXPECT_FALSE(detector->info().summary.empty());
    EXPECT_TRUE(detector->enabled());
  }
  EXPECT_EQ(ids.size(), 37u);
}

TEST(Detectors, ShowTheCommonSettingsFirst) {
  for (const DetectorPtr& detector : AllDetectors()) {
    Recorder recorder;
    detector->VisitSettings(recorder);
    ASSERT_GE(recorder.names.size(), 3u);
    EXPECT_THAT(std::vector(recorder.names.begin(), recorder.names.begin() + 3),
                ::testing::ElementsAre("enabled", "severity", "hold"));
    EXPECT_FALSE(detector->enabled());
    EXPECT_EQ(detector->severity(), Severity::kInfo);
    EXPECT_EQ(detector->hold(), 7min);
  }
}

TEST(Detectors, WhatIsSwitchedOffIsNotFound) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {700, 900}}});
  story.query().Batch({{"t", {{0, 500}}}});
  for (const DetectorPtr& detector : story.rules.detectors) {
    Recorder recorder;
    detector->VisitSettings(recorder);
  }
  EXPECT_THAT(story.Poll().findings, IsEmpty());
}

TEST(Detectors, TheConfiguredSeverityIsTheFindings) {
  Scenario story;
  story.kafka.Set("t", "A", {{0, {700, 900}}});
  story.query().Batch({{"t", {{0, 500}}}});
  struct : Recorder {
    void Field(std::string_view, bool&, std::string_view) override {}
    void Field(std::string_view, Duration& value, std::string_view) override { value = 0ms; }
  } quieter;
  for (const DetectorPtr& detector : story.rules.detectors) detector->VisitSettings(quieter);
  story.Poll();
  EXPECT_EQ(The(story.report, "records_expired").severity, Severity::kInfo);
}

}  // namespace
}  // namespace tidegauge::testing
