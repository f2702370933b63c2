#include "daemon/rules/rule.h"

#include <string_view>

#include <fmt/core.h>

namespace tidegauge {
namespace {

/// In double quotes, with the escapes that YAML and PromQL have in common.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// `expr` as a block that keeps its lines.
std::string Block(std::string_view expr) {
  std::string block = "        expr: |-\n          ";
  for (const char c : expr) {
    block += c;
    if (c == '\n') block += "          ";
  }
  return block + '\n';
}

std::string Minutes(std::string_view key, Duration duration) {
  if (duration == Duration{}) return {};
  return fmt::format("        {}: {}m\n", key, duration / std::chrono::minutes(1));
}

std::string Render(const RecordingRule& rule) {
  return fmt::format("      - record: {}\n{}", rule.record, Block(rule.expr));
}

std::string Render(const AlertRule& rule, const std::string& runbook_base) {
  std::string text = fmt::format("      - alert: {}\n{}", rule.alert, Block(rule.expr));
  text += Minutes("for", rule.hold);
  text += Minutes("keep_firing_for", rule.keep_firing);
  if (!rule.severity.empty()) {
    text += fmt::format("        labels:\n          severity: {}\n", rule.severity);
  }
  text += "        annotations:\n";
  text += fmt::format("          summary: {}\n", Quoted(rule.summary));
  text += fmt::format("          description: {}\n", Quoted(rule.description));
  text += fmt::format("          runbook_url: {}\n",
                      Quoted(fmt::format("{}/{}", runbook_base, rule.runbook)));
  return text;
}

}  // namespace

std::string QuotedForPromql(const std::string& text) { return Quoted(text); }

std::string RenderRules(const std::vector<RuleGroup>& groups, const std::string& runbook_base) {
  std::string text = "groups:\n";
  for (const RuleGroup& group : groups) {
    text += fmt::format("  - name: {}\n    rules:\n", group.name);
    for (const RecordingRule& rule : group.records) text += Render(rule);
    for (const AlertRule& rule : group.alerts) text += Render(rule, runbook_base);
  }
  return text;
}

}  // namespace tidegauge
