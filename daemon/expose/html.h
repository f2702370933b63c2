// HTML text.
#pragma once

#include <string>
#include <string_view>

namespace tidegauge {

/// `text` as it can stand in an element or in a quoted attribute.
std::string EscapeHtml(std::string_view text);

}  // namespace tidegauge
