// The look of the page.
#pragma once

#include <string_view>

namespace tidegauge {

extern const std::string_view kPageStyle;

}  // namespace tidegauge
