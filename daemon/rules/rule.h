// Rules as Prometheus knows them, and as the YAML of a rule file.
#pragma once

#include <string>
#include <vector>

#include "core/model.h"

namespace tidegauge {

struct RecordingRule {
  std::string record;
  std::string expr;
};

struct AlertRule {
  std::string alert;
  std::string expr;
  Duration hold{};          ///< `for`: how long it must hold; zero: not at all
  Duration keep_firing{};   ///< `keep_firing_for`, which Prometheus 2.42 is the first to have
  std::string severity;     ///< empty: the label of the series, which a configuration can change
  std::string summary;      ///< a fixed sentence
  std::string description;  ///< a template
  std::string runbook;      ///< from the base of the pages on
};

/// Evaluated in this order, one after the other.
struct RuleGroup {
  std::string name;
  std::vector<RecordingRule> records;
  std::vector<AlertRule> alerts;
};

/// The groups as a rule file. `runbook_base` has no slash at its end.
std::string RenderRules(const std::vector<RuleGroup>& groups, const std::string& runbook_base);

/// `text` as PromQL writes a string.
std::string QuotedForPromql(const std::string& text);

}  // namespace tidegauge
