// A report as JSON: what `check --format=json` prints and what /api/v1 answers.
//
// What is unknown is left out. Every number is an exact int64. All strings are well-formed UTF-8.
#pragma once

#include <string>
#include <vector>

#include "core/report.h"

namespace tidegauge {

/// polled_at, queries, findings (pending ones too; `phase` tells) and unknown, on one line.
///
/// `remembered_since` says since when a query's topics are known: a topic recreated before then is
/// found only where timestamps prove it.
///
/// A topic that two sources of one query read differently stands in `position` once for each, as
/// `topic#source`; no topic name contains a `#`.
std::string ReportJson(const Report& report);

/// The parts of it that are about queries: polled_at, queries, unknown.
std::string QueriesJson(const Report& report);

/// polled_at and findings.
std::string FindingsJson(const Report& report);

/// history: of each event at, event (firing, resolved or acknowledged), what it happened to, and
/// text.
std::string HistoryJson(const std::vector<Event>& events);

}  // namespace tidegauge
