// What the person on call should do first about a kind of finding.
#pragma once

#include <string_view>

namespace tidegauge {

/// One or two sentences. A kind without advice of its own is sent to its page.
std::string_view NextStep(std::string_view kind);

}  // namespace tidegauge
