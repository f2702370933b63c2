// What happened to findings, for a terminal: what `history` prints.
#pragma once

#include <string>
#include <vector>

#include "core/report.h"

namespace tidegauge {

/// An event a line, in the order given, with its text indented below.
std::string HistoryText(const std::vector<Event>& events);

}  // namespace tidegauge
