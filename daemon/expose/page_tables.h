// The lower half of the page: every query and every cluster in a line.
#pragma once

#include <string>

#include "core/report.h"

namespace tidegauge {

void AddQueryTable(std::string& out, const Report& report, Time now);
/// Nothing when no log is watched.
void AddLogTable(std::string& out, const Report& report);
/// Nothing when no data files are scanned.
void AddDataFileTable(std::string& out, const Report& report, Time now);
void AddClusterTable(std::string& out, const Report& report, Time now);

}  // namespace tidegauge
