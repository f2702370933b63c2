#include "core/history/lifecycle.h"

#include <set>

namespace tidegauge {
namespace {

void Found(Ledger& ledger, const Finding& finding, Duration hold, Time now) {
  FindingReport& record = ledger.findings[finding.key];
  const bool is_new = record.finding.key.kind.empty() || record.phase == Phase::kResolved;
  if (is_new) record = {.phase = Phase::kPending, .pending_since = now};
  record.finding = finding;
  if (record.phase == Phase::kPending && now - record.pending_since >= hold) {
    record.phase = Phase::kFiring;
    record.firing_since = now;
    ++ledger.findings_total[finding.key.kind];
  }
}

/// Whether `record` can be forgotten.
bool NotFound(FindingReport& record, bool judged, Time now) {
  if (record.phase == Phase::kResolved) return now - *record.resolved_at > kResolvedRemembered;
  if (!judged) return false;
  if (record.phase == Phase::kPending) return true;
  record.phase = Phase::kResolved;
  record.resolved_at = now;
  return false;
}

}  // namespace

void TakeFindings(Ledger& ledger, const std::vector<Finding>& found, const HoldOf& hold,
                  const WasJudged& judged, Time now) {
  std::set<FindingKey> keys;
  for (const Finding& finding : found) {
    keys.insert(finding.key);
    Found(ledger, finding, hold(finding), now);
  }
  for (auto entry = ledger.findings.begin(); entry != ledger.findings.end();) {
    auto& [key, record] = *entry;
    const bool forget = !keys.contains(key) && NotFound(record, judged(key), now);
    entry = forget ? ledger.findings.erase(entry) : std::next(entry);
  }
}

}  // namespace tidegauge
