// Detectors that exist only here, so that these tests do not change with the real ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/detectors/detector.h"

namespace tidegauge {

class PlainDetector : public Detector {
 public:
  PlainDetector()
      : Detector({.id = "topic_recreated",
                  .summary = "The topic was recreated.",
                  .severity = Severity::kCritical}) {}

  std::vector<Finding> Check(const QueryView& /*query*/) const override { return {}; }
};

/// Has a setting of each type.
class RichDetector : public Detector {
 public:
  RichDetector()
      : Detector({.id = "retention_headroom_low",
                  .summary = "Retention catches up.",
                  .severity = Severity::kWarning,
                  .hold = std::chrono::minutes(5)}) {}

  void VisitSettings(SettingsVisitor& visitor) override {
    Detector::VisitSettings(visitor);
    visitor.Field("horizon", horizon, "How far ahead to look.");
    visitor.Field("margin", margin, "What part is kept free.");
    visitor.Field("samples", samples, "How many samples a rate needs.");
    visitor.Field("note", note, "Said beside the finding.");
  }

  std::vector<Finding> Check(const QueryView& /*query*/) const override { return {}; }

  Duration horizon = std::chrono::hours(6);
  double margin = 0.1;
  std::int64_t samples = 3;
  std::string note;
};

inline std::vector<DetectorPtr> TestDetectors() {
  std::vector<DetectorPtr> detectors;
  detectors.push_back(std::make_unique<PlainDetector>());
  detectors.push_back(std::make_unique<RichDetector>());
  return detectors;
}

}  // namespace tidegauge
