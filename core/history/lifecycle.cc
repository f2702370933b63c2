#include "core/history/lifecycle.h"

#include <set>

#include "core/history/events.h"

namespace tidegauge {
namespace {

void Fire(Ledger& ledger, FindingReport& record, Time now) {
  const bool flaps = record.resolved_at && now - *record.resolved_at <= kFlapWindow;
  record.flaps = flaps ? record.flaps + 1 : 0;
  record.phase = Phase::kFiring;
  record.firing_since = now;
  record.resolved_at.reset();
  ++ledger.findings_total[record.finding.key.kind];
  NoteEvent(ledger, {.at = now,
                     .type = EventType::kFiring,
                     .key = record.finding.key,
                     .severity = record.finding.severity,
                     .text = record.finding.summary});
}

void Resolve(Ledger& ledger, FindingReport& record, Time now) {
  record.phase = Phase::kResolved;
  record.resolved_at = now;
  record.gone_since.reset();
  NoteEvent(ledger, {.at = now,
                     .type = EventType::kResolved,
                     .key = record.finding.key,
                     .severity = record.finding.severity,
                     .firing_since = record.firing_since});
}

void Found(Ledger& ledger, const Finding& finding, Duration hold, Time now) {
  const auto [place, is_new] = ledger.findings.try_emplace(finding.key);
  FindingReport& record = place->second;
  if (is_new || record.phase == Phase::kResolved) {
    record.phase = Phase::kPending;
    record.pending_since = now;
    record.firing_since.reset();
  }
  record.finding = finding;
  record.gone_since.reset();
  if (record.phase == Phase::kPending && now - record.pending_since >= hold) {
    Fire(ledger, record, now);
  }
}

void Gone(Ledger& ledger, FindingReport& record, Time now) {
  if (!record.gone_since) record.gone_since = now;
  const Duration quiet = record.flaps < kFlapsDamped ? Duration::zero() : kFlapQuiet;
  if (now - *record.gone_since >= quiet) Resolve(ledger, record, now);
}

/// Whether `record` can be forgotten.
bool NotFound(Ledger& ledger, FindingReport& record, bool judged, Time now) {
  if (judged && record.phase == Phase::kFiring) Gone(ledger, record, now);
  if (judged && record.phase == Phase::kPending) {
    if (!record.resolved_at) return true;
    record.phase = Phase::kResolved;
  }
  return record.phase == Phase::kResolved && now - *record.resolved_at > kResolvedRemembered;
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
    const bool forget = !keys.contains(key) && NotFound(ledger, record, judged(key), now);
    entry = forget ? ledger.findings.erase(entry) : std::next(entry);
  }
}

}  // namespace tidegauge
