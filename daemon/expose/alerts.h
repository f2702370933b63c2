// Findings as Alertmanager wants them (API v2, POST /api/v2/alerts).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.h"
#include "core/report.h"

namespace tidegauge {

/// `topic_recreated` -> `TidegaugeTopicRecreated`
std::string AlertName(std::string_view kind);

/// What a site adds to each alert.
struct AlertTraits {
  std::map<std::string, std::string> external_labels;  ///< stand in for none of the alert's own
  std::string external_url;  ///< where people reach this daemon's page; empty: nowhere
  std::string runbook_base;  ///< where docs/ is to be read, without a slash at the end
};

/// Alertmanager knows an alert by its labels alone.
struct Alert {
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  std::string generator_url;
  Time starts_at;

  friend bool operator==(const Alert&, const Alert&) = default;
};

/// Labels as the series `tidegauge_finding` has them, with `alertname`; begins when the finding was
/// first seen.
Alert AlertOf(const FindingReport& report, const AlertTraits& traits);

/// It counts as over from `ends_at` on, unless it is sent again.
struct TimedAlert {
  Alert alert;
  Time ends_at;

  friend bool operator==(const TimedAlert&, const TimedAlert&) = default;
};

std::string AlertsJson(const std::vector<TimedAlert>& alerts);

}  // namespace tidegauge
