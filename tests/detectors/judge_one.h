// One detector on one query that reads one topic, "t", and what is left of its finding over polls.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/detectors/all.h"
#include "core/topics/comparison.h"
#include "tests/support/scenario.h"

namespace tidegauge::testing {

inline DetectorPtr MakeDetector(std::string_view id) {
  std::vector<DetectorPtr> all = AllDetectors();
  const auto found =
      std::ranges::find_if(all, [&](const DetectorPtr& one) { return one->info().id == id; });
  return std::move(*found);
}

/// A present topic whose offsets belong to it as it is.
class JudgeOne : public ::testing::Test {
 protected:
  explicit JudgeOne(std::string_view id) : id_(id), detector_(MakeDetector(id)) {
    view_.now = kStart;
    view_.query = "orders";
    view_.kafka_cluster = "main";
    view_.cluster_id = view_.remembered_cluster_id = "lab-1";
    view_.checkpoint = checkpoint_;
    view_.topics.push_back(
        {.topic = "t", .presence = TopicPresence::kPresent, .belongs = Belongs::kCurrent});
  }

  PartitionComparison& Add(Partition number, std::optional<Offset> position,
                           std::optional<Offset> log_start, std::optional<Offset> log_end) {
    topic().partitions.push_back({.partition = number,
                                  .position = position,
                                  .listed = true,
                                  .log_start = log_start,
                                  .log_end = log_end});
    return topic().partitions.back();
  }

  TopicComparison& topic() { return view_.topics.front(); }
  std::vector<Finding> Check() const { return detector_->Check(view_); }
  /// The only finding.
  Finding Found() const {
    const std::vector<Finding> found = Check();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Finding{} : found.front();
  }
  bool Fires(const Report& report) const {
    const auto firing = Firing(report);
    return std::ranges::count(firing, id_) == 1;
  }

  std::string id_;
  DetectorPtr detector_;
  std::shared_ptr<Checkpoint> checkpoint_ = std::make_shared<Checkpoint>();
  QueryView view_;
  Scenario story_;
};

}  // namespace tidegauge::testing
