#include "daemon/expose/finding_metrics.h"

#include <string>
#include <vector>

namespace tidegauge {
namespace {

using enum MetricType;

struct LabelledFinding {
  const FindingReport* report;
  std::string labels;
};

std::string LabelsOf(const Finding& finding) {
  const FindingKey& key = finding.key;
  return FormatLabels({{"kind", key.kind},
                       {"severity", ToString(finding.severity)},
                       {"query", key.query},
                       {"kafka_cluster", key.kafka_cluster},
                       {"topic", key.topic},
                       {"source", key.source},
                       {"log", key.log}});
}

std::vector<LabelledFinding> LabelFindings(const Report& report) {
  std::vector<LabelledFinding> labelled;
  for (const FindingReport& finding : report.findings) {
    if (finding.phase == Phase::kResolved) continue;
    labelled.push_back({&finding, LabelsOf(finding.finding)});
  }
  return labelled;
}

void AddPhase(Exposition& out, const std::vector<LabelledFinding>& findings, Phase phase) {
  for (const auto& [report, labels] : findings) {
    if (report->phase == phase) out.Add(labels, 1);
  }
}

}  // namespace

void AddFindings(Exposition& out, const Report& report) {
  const std::vector<LabelledFinding> findings = LabelFindings(report);
  out.Begin({"tidegauge_finding", kGauge, "1 for each finding that fires."});
  AddPhase(out, findings, Phase::kFiring);
  out.Begin({"tidegauge_finding_pending", kGauge,
             "1 for each finding that has not yet held for its hold time."});
  AddPhase(out, findings, Phase::kPending);
  out.Begin({"tidegauge_finding_since_timestamp_seconds", kGauge,
             "When the finding, pending or firing, was first seen, in seconds since 1970."});
  for (const auto& [found, labels] : findings) out.Add(labels, found->pending_since);
  out.Begin({"tidegauge_finding_records", kGauge,
             "Records that the finding concerns; an upper bound where its JSON says at_most."});
  for (const auto& [found, labels] : findings) out.Add(labels, found->finding.records);
  out.Begin({"tidegauge_finding_expected_timestamp_seconds", kGauge,
             "When what the finding predicts is expected, in seconds since 1970."});
  for (const auto& [found, labels] : findings) out.Add(labels, found->finding.expected_at);
  out.Begin({"tidegauge_finding_flaps", kGauge,
             "How often the finding came back within an hour of its end; absent if it has not."});
  for (const auto& [found, labels] : findings) {
    if (found->flaps > 0) out.Add(labels, found->flaps);
  }
  out.Begin({"tidegauge_findings", kCounter, "How often a finding of the kind has begun to fire."});
  for (const auto& [kind, count] : report.findings_total) {
    out.Add(FormatLabels({{"kind", kind}}), count);
  }
}

}  // namespace tidegauge
