#include "config/environment.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

std::optional<std::string> Environ(const std::string& name) {
  if (name == "A") return "1";
  if (name == "EMPTY") return "";
  if (name == "NESTED") return "${A}";
  return std::nullopt;
}

TEST(Substitute, replaces_each_variable_once) {
  EXPECT_EQ(Substitute("", Environ), "");
  EXPECT_EQ(Substitute("${A}", Environ), "1");
  EXPECT_EQ(Substitute("a${A}b${A}", Environ), "a1b1");
  EXPECT_EQ(Substitute("[${EMPTY}]", Environ), "[]");
  EXPECT_EQ(Substitute("${NESTED}", Environ), "${A}");
}

TEST(Substitute, leaves_other_dollars_alone) {
  EXPECT_EQ(Substitute("$A $ $$ a$", Environ), "$A $ $$ a$");
}

TEST(Substitute, two_dollars_make_a_literal) {
  EXPECT_EQ(Substitute("$${A}", Environ), "${A}");
  EXPECT_EQ(Substitute("${A}$${A}", Environ), "1${A}");
  EXPECT_EQ(Substitute("$$${A}", Environ), "$${A}");
}

TEST(ProcessEnvironment, knows_where_the_credentials_of_the_service_are) {
  unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_EQ(ProcessEnvironment("CREDENTIALS_DIRECTORY"), "/run/credentials/tidegauge.service");
  setenv("CREDENTIALS_DIRECTORY", "/elsewhere", 1);
  EXPECT_EQ(ProcessEnvironment("CREDENTIALS_DIRECTORY"), "/elsewhere");
  unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_EQ(ProcessEnvironment("TIDEGAUGE_NOT_SET"), std::nullopt);
}

TEST(Substitute, names_a_variable_that_is_not_set) {
  EXPECT_EQ(Substitute("${NOT_SET}", Environ).error().message,
            "the environment variable NOT_SET is not set");
}

TEST(Substitute, refuses_what_is_no_variable_without_repeating_it) {
  for (const char* text : {"${}", "${a-b}", "${1a}", "${hunter 2}", "${A:-default}", "${A"}) {
    const auto result = Substitute(text, Environ);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().message.find("hunter"), std::string::npos);
  }
}

TEST(EscapeSubstitution, is_undone_by_substitute) {
  for (const char* text : {"", "a", "${A}", "$${A}", "$", "${", "a${b}c${", "$$"}) {
    EXPECT_EQ(Substitute(EscapeSubstitution(text), Environ), text);
  }
}

TEST(ProcessEnvironment, tells_not_set_from_empty) {
  ASSERT_EQ(setenv("TIDEGAUGE_TEST_EMPTY", "", 1), 0);
  EXPECT_EQ(ProcessEnvironment("TIDEGAUGE_TEST_EMPTY"), "");
  EXPECT_EQ(ProcessEnvironment("TIDEGAUGE_TEST_NOT_SET"), std::nullopt);
}

}  // namespace
}  // namespace tidegauge
