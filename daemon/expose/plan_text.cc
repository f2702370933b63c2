#include "daemon/expose/plan_text.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "daemon/expose/clean_text.h"

namespace tidegauge {
namespace {

template <typename... T>
void Add(std::string& out, fmt::format_string<T...> format, T&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
}

void AddIndented(std::string& out, std::string_view indent, std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    Add(out, "{}{}\n", indent, Printable(line));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
}

void AddFiles(std::string& out, const Plan& plan, const std::vector<std::string>& set_up) {
  if (!UsesDirectory(plan)) return;
  out += "The commands use files in $PLAN, and keep copies there:\n";
  for (const std::string& command : set_up) AddIndented(out, "    ", command);
  out += '\n';
}

void AddRemedy(std::string& out, const Remedy& remedy, std::size_t number) {
  Add(out, "  Way {}: {}\n", number, remedy.title);
  AddIndented(out, "  Costs: ", remedy.cost);
  for (std::size_t i = 0; i < remedy.steps.size(); ++i) {
    const PlanStep& step = remedy.steps[i];
    const std::size_t first = step.what.find('\n');
    Add(out, "    {}. {}\n", i + 1, Printable(std::string_view(step.what).substr(0, first)));
    if (first != std::string::npos) {
      AddIndented(out, "         ", std::string_view(step.what).substr(first + 1));
    }
    for (const std::string& command : step.commands) {
      Add(out, "         {}\n", Printable(command));
    }
  }
  out += '\n';
}

void AddFinding(std::string& out, const FindingPlan& plan) {
  const FindingKey& key = plan.finding.key;
  Add(out, "{} {}{}\n", ToString(plan.finding.severity), key.kind,
      key.topic.empty() ? "" : fmt::format(", topic {}", Printable(key.topic)));
  AddIndented(out, "  ", plan.finding.summary);
  out += '\n';
  for (std::size_t i = 0; i < plan.remedies.size(); ++i) AddRemedy(out, plan.remedies[i], i + 1);
  if (plan.remedies.empty()) {
    Add(out, "  No commands for this one: read docs/detectors/{}.md\n\n", key.kind);
  }
}

}  // namespace

std::string PlanText(const Plan& plan, const std::vector<std::string>& set_up) {
  std::string out;
  Add(out, "Plan for query {}. Nothing has been changed; nothing here is done by itself.\n\n",
      Printable(plan.query));
  for (const std::string& unknown : plan.unknown) {
    Add(out, "UNKNOWN, so that something may be lacking here: {}\n\n", Printable(unknown));
  }
  if (plan.findings.empty()) out += "Nothing was found.\n";
  AddFiles(out, plan, set_up);
  for (const FindingPlan& finding : plan.findings) AddFinding(out, finding);
  return out;
}

}  // namespace tidegauge
