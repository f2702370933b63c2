#include "core/output/path_uri.h"

#include <charconv>

#include <fmt/core.h>

namespace tidegauge {
namespace {

/// java.net.URI: unreserved, punctuation, `/` and `@`.
bool IsAllowed(char c) {
  constexpr std::string_view kMarks = "_-!.~'()*,;:$&+=@/";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80 || kMarks.find(c) != std::string_view::npos;
}

}  // namespace

std::string EncodePath(std::string_view path) {
  std::string encoded;
  for (const char c : path) {
    if (IsAllowed(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string_view BeforePath(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || uri.find('/') < colon) return {};
  std::size_t end = colon + 1;
  if (uri.substr(end).starts_with("//")) {
    end = uri.find('/', end + 2);
    if (end == std::string_view::npos) end = uri.size();
  }
  return uri.substr(0, end);
}

std::string PathOf(std::string_view uri) {
  const std::string_view encoded = uri.substr(BeforePath(uri).size());
  std::string path;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    unsigned value = 0;
    const char* digits = encoded.data() + i + 1;
    if (encoded[i] == '%' && i + 2 < encoded.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      path += static_cast<char>(value);
      i += 2;
    } else {
      path += encoded[i];
    }
  }
  return path;
}

}  // namespace tidegauge
