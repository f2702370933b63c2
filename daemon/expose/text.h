// A report for a terminal: what is broken first, since when, and what to do about it.
#pragma once

#include <string>

#include "core/report.h"

namespace tidegauge {

/// `colours`: with ANSI escape sequences. Names and messages never bring any of their own.
std::string ReportText(const Report& report, bool colours);

}  // namespace tidegauge
