// The page at `/`, for a person on call: what is broken, since when, what will break, what to do.
#pragma once

#include <string>

#include "core/report.h"
#include "daemon/expose/self_report.h"

namespace tidegauge {

/// A whole HTML document, without script and without anything from elsewhere. Every name and
/// message in it is escaped. `report` is null before the first poll has completed.
std::string RenderPage(const Report* report, const SelfReport& self, Time now);

}  // namespace tidegauge
