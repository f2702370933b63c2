#include "daemon/expose/clean_text.h"

#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace tidegauge {
namespace {

unsigned char ByteAt(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

bool InRange(unsigned char byte, unsigned char low, unsigned char high) {
  return low <= byte && byte <= high;
}

// Table 3-7 of the Unicode standard: the second byte's range depends on the first, so that overlong
// forms, surrogates and code points past U+10FFFF are ill-formed.
std::size_t WellFormedLength(std::string_view text) {
  const unsigned char first = ByteAt(text, 0);
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first < 0x80) return 1;
  if (InRange(first, 0xC2, 0xDF)) {
    length = 2;
  } else if (InRange(first, 0xE0, 0xEF)) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (InRange(first, 0xF0, 0xF4)) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (!InRange(ByteAt(text, 1), low, high)) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!InRange(ByteAt(text, i), 0x80, 0xBF)) return 0;
  }
  return length;
}

// C1 controls (U+0080 to U+009F) are two bytes in UTF-8, and terminals obey some of them.
bool IsControl(std::string_view text) {
  const unsigned char first = ByteAt(text, 0);
  return first < 0x20 || first == 0x7F || (first == 0xC2 && ByteAt(text, 1) < 0xA0);
}

void AppendHex(std::string& out, unsigned char byte) {
  fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
}

std::string Clean(std::string_view text, bool keep_controls) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = WellFormedLength(text);
    if (length != 0 && (keep_controls || !IsControl(text))) {
      clean.append(text.substr(0, length));
    } else {
      length = 1;
      AppendHex(clean, ByteAt(text, 0));
    }
    text.remove_prefix(length);
  }
  return clean;
}

}  // namespace

std::string WellFormed(std::string_view text) { return Clean(text, true); }

std::string Printable(std::string_view text) { return Clean(text, false); }

}  // namespace tidegauge
