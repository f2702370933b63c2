// Ledgers to save.
#pragma once

#include <cstdint>
#include <string>

#include "core/history/ledger.h"

namespace tidegauge {

inline Time At(std::int64_t milliseconds) { return Time(Duration(milliseconds)); }

/// Whether all that is remembered is equal. The structured bindings are there so that a new part of
/// the ledger cannot be forgotten here.
inline bool Same(const Ledger& a, const Ledger& b) {
  const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11] = a;
  const auto& [b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11] = b;
  return a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4 && a5 == b5 && a6 == b6 && a7 == b7 &&
         a8 == b8 && a9 == b9 && a10 == b10 && a11 == b11;
}

/// Findings, and what happened to them.
inline void AddSampleFindings(Ledger& ledger, std::int64_t n, const std::string& text) {
  const FindingKey key{"topic_recreated", text + "q", "main", text, "0", "sink"};
  ledger.findings[key] = {.finding = {.key = key,
                                      .severity = Severity::kWarning,
                                      .confidence = Confidence::kLikely,
                                      .direction = "above",
                                      .evidence = {"topic_id", "", text},
                                      .records = n,
                                      .records_bound = Bound::kAtMost,
                                      .batch = n,
                                      .batches_left = n,
                                      .expected_at = At(n),
                                      .missing = {"0", "9.compact"},
                                      .partitions = {{0, 500, 0, 800, 500}},
                                      .summary = text},
                          .phase = Phase::kResolved,
                          .pending_since = At(n),
                          .firing_since = At(n + 1),
                          .resolved_at = At(n + 2),
                          .flaps = n,
                          .gone_since = At(n + 3)};
  const FindingKey bare{"offset_log_gap", "q", "", "", ""};
  ledger.findings[bare].finding.key = bare;
  ledger.acknowledgements = {{key, "ann", text, At(n)}, {key, "ann", text, At(n)}};
  ledger.events[n] = {.at = At(n),
                      .type = EventType::kResolved,
                      .key = key,
                      .severity = Severity::kInfo,
                      .firing_since = At(n - 1),
                      .text = text};
  ledger.events[n + 1] = {.at = At(n), .key = bare};
}

/// Something in every field, with numbers and strings that differ with `n`.
inline Ledger SampleLedger(std::int64_t n, const std::string& text = "text") {
  Ledger ledger;
  ledger.incarnations[{"lab-1", text}] = {
      {"id0", 0, At(n), At(n + 1), {{0, n}, {7, INT64_MAX}}, 0},
      {"", n, At(n + 2), At(n + 3), {}, 2},
  };
  ledger.bindings[{text + "q", text, ""}] = {.cluster_id = "lab-1",
                                             .topic_id = text,
                                             .generation = -1,
                                             .batch = n,
                                             .position = {{0, n}, {1, 0}},
                                             .held_against = n,
                                             .absent_since = {{2, n}},
                                             .bound_at = At(n),
                                             .evidence = "timestamps",
                                             .confidence = Confidence::kLikely};
  ledger.queries[text + "q"] = {
      text, "lab-1",   n,         At(n), At(n + 5),       "/c/" + text,     "old",           n + 1,
      3,    At(n + 6), At(n + 7), n + 8, Duration(n + 9), Duration(n + 10), Duration(n + 11)};
  ledger.skips = {{.query = text + "q",
                   .kafka_cluster = "main",
                   .topic = text,
                   .source = "1",
                   .batch = n,
                   .query_id = "uuid",
                   .seen_at = At(n),
                   .bound = Bound::kAtMost,
                   .confidence = Confidence::kLikely,
                   .partitions = {{3, n, std::nullopt, 0, INT64_MIN}, {1, {}, {}, {}, {}}},
                   .acknowledged = true},
                  {.query = "other", .topic = text}};
  ledger.log_start_rates[{"lab-1", text}] = {{0, {{At(n), 0}, {At(n + 30'000), n}}}, {1, {}}};
  ledger.position_rates[{text + "q", text, "0"}] = {
      {0, {{At(INT64_MIN), INT64_MAX}, {At(INT64_MAX), INT64_MIN}}}};
  ledger.compact_sizes[{text + "q", "source 1"}] = {{9, n}, {INT64_MAX, INT64_MAX}};
  AddSampleFindings(ledger, n, text);
  ledger.findings_total = {{"topic_recreated", UINT64_MAX}, {"offset_log_gap", 0}};
  return ledger;
}

}  // namespace tidegauge
