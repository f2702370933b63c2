#include "daemon/expose/clean_text.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(WellFormed, keeps_utf8_of_every_length_and_control_characters) {
  const std::string text = "a\n\x1b\u00e9\u20ac\U0001F30A";
  EXPECT_EQ(WellFormed(text), text);
}

TEST(WellFormed, shows_bytes_that_are_no_utf8) {
  EXPECT_EQ(WellFormed("a\x80z"), "a\\x80z");
  EXPECT_EQ(WellFormed("\xC3"), "\\xc3");
  EXPECT_EQ(WellFormed("\xC0\xAF"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(WellFormed("\xE0\x80\x80"), "\\xe0\\x80\\x80") << "overlong";
  EXPECT_EQ(WellFormed("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(WellFormed("\xF0\x80\x80\x80"), "\\xf0\\x80\\x80\\x80") << "overlong";
  EXPECT_EQ(WellFormed("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "past U+10FFFF";
  EXPECT_EQ(WellFormed("\xE2\x82"), "\\xe2\\x82") << "cut short";
}

TEST(Printable, shows_control_characters) {
  EXPECT_EQ(Printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(Printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(Printable("\x7F"), "\\x7f");
  EXPECT_EQ(Printable("\xC2\x9B"), "\\xc2\\x9b") << "U+009B starts a control sequence";
  EXPECT_EQ(Printable("\u00e9\u20ac"), "\u00e9\u20ac");
}

}  // namespace
}  // namespace tidegauge
