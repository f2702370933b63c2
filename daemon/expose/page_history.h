// What happened of late, on the page.
#pragma once

#include <string>

#include "core/report.h"

namespace tidegauge {

/// The newest events in a table; nothing when there are none.
void AddHistory(std::string& out, const Report& report);

}  // namespace tidegauge
