#include "daemon/rules/finding_rules.h"

#include <algorithm>

#include <fmt/core.h>

#include "daemon/expose/alerts.h"
#include "daemon/expose/next_step.h"

namespace tidegauge {
namespace {

constexpr const char* kHeld = "tidegauge:finding:held";
constexpr const char* kExpectedHeld = "tidegauge:finding_expected_timestamp_seconds:held";

/// An estimate moves a little to and fro about its horizon.
constexpr Duration kAroundHorizon = std::chrono::minutes(10);

/// `series` as it was when the target last showed a whole page, for as long as it shows none and is
/// still a target. The rule reads what it recorded itself at the evaluation before.
RecordingRule Hold(const std::string& record, const std::string& series) {
  return {record, fmt::format("{}\nor (\n"
                              "  {}\n"
                              "  unless on (job, instance) tidegauge_last_poll_timestamp_seconds\n"
                              "  and on (job, instance) up\n)",
                              series, record)};
}

std::string Select(const char* series, std::string_view kind, std::string_view more = {}) {
  return fmt::format("{}{{kind=\"{}\"{}}}", series, kind, more);
}

/// What is written where, for the finding that an alert is about.
std::string Look(const char* series, const char* sentence) {
  return fmt::format(
      "{{{{ with printf `max({}{{kind=%q,query=%q,topic=%q,log=%q}})` $labels.kind $labels.query "
      "$labels.topic $labels.log | query }}}}{}{{{{ end }}}}",
      series, sentence);
}

std::string Describe(std::string_view kind) {
  return fmt::format(
      "Query {{{{ $labels.query }}}}"
      "{{{{ with $labels.topic }}}}, topic {{{{ . }}}}{{{{ end }}}}"
      "{{{{ with $labels.log }}}}, log {{{{ . }}}}{{{{ end }}}}"
      "{{{{ with $labels.kafka_cluster }}}}, cluster {{{{ . }}}}{{{{ end }}}}."
      "{}{} {} The commands to type: `tidegauge plan {{{{ $labels.query }}}}` on the host of {{{{ "
      "$labels.instance }}}}.",
      Look("tidegauge_finding_records",
           R"( Records concerned: {{ . | first | value | printf "%.0f" }}.)"),
      Look(kExpectedHeld, " Expected at {{ . | first | value | humanizeTimestamp }}."),
      NextStep(kind));
}

AlertRule RuleFor(const DetectorInfo& info) {
  return {.alert = AlertName(info.id),
          .expr = fmt::format("{} == 1", Select(kHeld, info.id)),
          .summary = std::string(info.summary),
          .description = Describe(info.id),
          .runbook = fmt::format("detectors/{}.md", info.id)};
}

std::string Left(std::string_view kind, std::string_view comparison, Duration near) {
  return fmt::format("{} - time() {} {}", Select(kExpectedHeld, kind), comparison,
                     near / std::chrono::seconds(1));
}

/// The kind warns; when its time is near, a second rule of the same name is critical. Whoever
/// configured another severity gets that one alone.
void RaiseWhenNear(const DetectorInfo& info, Duration near, std::vector<AlertRule>& alerts) {
  alerts.push_back(RuleFor(info));
  AlertRule raised = RuleFor(info);
  raised.expr = fmt::format("{} == 1\nand ({})", Select(kHeld, info.id, R"(,severity="warning")"),
                            Left(info.id, "<", near));
  raised.keep_firing = kAroundHorizon;
  raised.severity = ToString(Severity::kCritical);
  alerts.push_back(std::move(raised));
}

/// The kind is critical; while its time is far, a second rule of the same name warns instead. A log
/// of a source is no such case: there a restart fails at once.
void LowerWhileFar(const DetectorInfo& info, Duration near, std::vector<AlertRule>& alerts) {
  const std::string can_wait = Select(kHeld, info.id, R"(,severity="critical",log="sink")");
  const std::string far = fmt::format("({}\n  and ({}))", can_wait, Left(info.id, ">=", near));
  AlertRule now = RuleFor(info);
  now.expr = fmt::format("{} == 1\nunless {}", Select(kHeld, info.id), far);
  now.keep_firing = kAroundHorizon;
  alerts.push_back(std::move(now));
  AlertRule later = RuleFor(info);
  later.expr = fmt::format("{} == 1", far);
  later.severity = ToString(Severity::kWarning);
  alerts.push_back(std::move(later));
}

}  // namespace

const std::vector<Horizon>& Horizons() {
  // Retention is raised within minutes. A lost log file has to be found in a back-up first.
  static const std::vector<Horizon> kHorizons{
      {"retention_headroom_low", std::chrono::hours(1)},
      {"compaction_will_fail", std::chrono::hours(6)},
  };
  return kHorizons;
}

RuleGroup FindingRules(const std::vector<DetectorPtr>& detectors) {
  RuleGroup group{.name = "tidegauge-findings",
                  .records = {Hold(kHeld, "tidegauge_finding"),
                              Hold(kExpectedHeld, "tidegauge_finding_expected_timestamp_seconds")}};
  for (const DetectorPtr& detector : detectors) {
    const DetectorInfo& info = detector->info();
    const auto horizon = std::ranges::find(Horizons(), info.id, &Horizon::kind);
    if (horizon == Horizons().end()) {
      group.alerts.push_back(RuleFor(info));
    } else if (info.severity == Severity::kWarning) {
      RaiseWhenNear(info, horizon->near, group.alerts);
    } else {
      LowerWhileFar(info, horizon->near, group.alerts);
    }
  }
  return group;
}

}  // namespace tidegauge
