#include "config/yaml_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using testing::HasSubstr;
using Kind = YamlNode::Kind;

YamlNode Parse(std::string_view text) {
  Mistakes mistakes;
  auto node = ParseYaml(text, mistakes);
  EXPECT_EQ(Render("", mistakes), "");
  return node.value_or(YamlNode{});
}

Mistake OneMistake(std::string_view text, const YamlLimits& limits = {}) {
  Mistakes mistakes;
  ParseYaml(text, mistakes, limits);
  EXPECT_EQ(mistakes.size(), 1) << Render("", mistakes);
  return mistakes.empty() ? Mistake{} : mistakes.front();
}

TEST(ParseYaml, knows_where_things_are) {
  const YamlNode root = Parse("a: 1\nb:\n  - x\n  - {c: \"y\"}\n");
  ASSERT_EQ(root.kind, Kind::kMapping);
  const YamlNode& list = *root.Find("b");
  EXPECT_EQ(list.kind, Kind::kSequence);
  EXPECT_EQ(list.items[0].line, 3);
  EXPECT_EQ(list.items[0].column, 5);
  EXPECT_EQ(list.items[1].Find("c")->scalar, "y");
  EXPECT_EQ(list.items[1].Find("d"), nullptr);
  EXPECT_EQ(list.Find("b"), nullptr);
}

TEST(ParseYaml, a_missing_value_is_where_its_key_is) {
  const YamlNode root = Parse("a:\n\n\nb: ~\n");
  EXPECT_EQ(root.Find("a")->kind, Kind::kNull);
  EXPECT_EQ(root.Find("a")->line, 1);
  EXPECT_EQ(root.Find("b")->line, 4);
}

TEST(ParseYaml, nothing_is_null) {
  for (const char* text : {"", "\n\n", "# comment", "---\n", "---\n...\n"}) {
    EXPECT_EQ(Parse(text).kind, Kind::kNull) << text;
  }
}

TEST(ParseYaml, documents_may_be_marked) {
  EXPECT_EQ(Parse("---\na: 1\n...\n").Find("a")->scalar, "1");
}

TEST(ParseYaml, aliases_stand_for_copies) {
  const YamlNode root = Parse("a: &x {k: [1, 2]}\nb: *x\n");
  EXPECT_EQ(root.Find("b")->Find("k")->items[1].scalar, "2");
  EXPECT_EQ(root.Find("b")->line, 1);
}

TEST(ParseYaml, aliases_count_as_what_they_stand_for) {
  const std::string text = "a: &a [1, 2, 3]\nb: &b [*a, *a]\nc: [*b, *b]\n";
  Mistakes mistakes;
  EXPECT_TRUE(ParseYaml(text, mistakes, {.aliased = 39}));
  EXPECT_EQ(OneMistake(text, {.aliased = 38}).message,
            "not valid YAML: anchors and aliases stand for more than 38 values");
}

TEST(ParseYaml, counts_what_is_written) {
  Mistakes mistakes;
  EXPECT_TRUE(ParseYaml("a: [1, 2]", mistakes, {.nodes = 5}));
  EXPECT_EQ(OneMistake("a: [1, 2]", {.nodes = 4}).message, "not valid YAML: more than 4 values");
}

TEST(ParseYaml, aliases_do_not_add_to_the_depth_allowed) {
  const std::string text = "a: &a [[[1]]]\nb: [[[*a]]]\n";
  Mistakes mistakes;
  EXPECT_TRUE(ParseYaml(text, mistakes, {.depth = 8}));
  EXPECT_EQ(OneMistake(text, {.depth = 6}).message, "not valid YAML: nested more than 6 deep");
}

TEST(ParseYaml, reports_each_duplicate_and_reads_on) {
  Mistakes mistakes;
  const auto root = ParseYaml("a: 1\na: 2\nb: {c: 1, c: 2}\na: 3\n", mistakes);
  ASSERT_TRUE(root);
  EXPECT_EQ(Render("f", mistakes),
            "f:2: duplicate key 'a', already set in line 1\n"
            "f:3: duplicate key 'c', already set in line 3\n"
            "f:4: duplicate key 'a', already set in line 1\n");
}

TEST(ParseYaml, a_file_cut_off_inside_quotes_is_not_whole) {
  for (const char* text : {"a: \"b", "a: \"b\n", "a: 'b", "a: 'b\n\n\n", "- \"", "'"}) {
    EXPECT_THAT(OneMistake(text).message, HasSubstr("not valid YAML")) << text;
  }
}

TEST(ParseYaml, names_the_line_of_a_tab) {
  EXPECT_EQ(OneMistake("a:\n  b:\n\t- c\n"),
            (Mistake{3, 1, "not valid YAML: indented with a tab, use spaces"}));
}

TEST(ParseYaml, survives_every_two_byte_text) {
  constexpr std::string_view kBytes = "ab0 \t\r\n:-?,[]{}#&*!|>'\"%@`~<=\\.\x7F\x01";
  for (char first : kBytes) {
    for (char second : kBytes) {
      for (const std::string& text :
           {std::string{first, second}, std::string{'k', ':', ' ', first, second}}) {
        Mistakes mistakes;
        EXPECT_TRUE(ParseYaml(text, mistakes) || !mistakes.empty()) << text;
      }
    }
  }
}

TEST(YamlScalar, reads_back_as_the_same_text) {
  for (const std::string text :
       {"",     "a",    "null", "~",  "true", "1e3", "- a", "---",
        "a: b", "a #b", "#a",   "'",  "\"",   "{a}", "[a]", "*a",
        "&a",   "!a",   "%a",   "@a", "a\nb", "\t",  " a ", "M\xC3\xBCnchen",
        "\x01", "a\\b"}) {
    const YamlNode root = Parse("k: " + YamlScalar(text) + "\n");
    ASSERT_EQ(root.kind, Kind::kMapping) << text;
    EXPECT_EQ(root.Find("k")->kind, Kind::kScalar) << text;
    EXPECT_EQ(root.Find("k")->scalar, text);
    EXPECT_EQ(Parse(YamlScalar(text) + ": v\n").keys.at(0).scalar, text);
  }
}

}  // namespace
}  // namespace tidegauge
