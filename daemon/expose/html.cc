#include "daemon/expose/html.h"

#include "daemon/expose/clean_text.h"

namespace tidegauge {

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (char c : Printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace tidegauge
