// Makes the report of one poll from what it read, was answered, and remembers.
#pragma once

#include <vector>

#include "core/report.h"
#include "core/topics/comparison.h"
#include "core/world.h"

namespace tidegauge {

Report BuildReport(const Readings& readings, const Answers& answers,
                   const std::vector<QueryView>& views, const Ledger& ledger, Time now);

}  // namespace tidegauge
