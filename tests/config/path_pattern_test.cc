#include "config/path_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::optional<Captures> Match(std::string_view pattern, std::string_view name) {
  Captures captures;
  if (!Pattern::Parse(pattern).value().Match(name, captures)) return std::nullopt;
  return captures;
}

TEST(Pattern, literal_matches_itself_only) {
  EXPECT_EQ(Match("a", "a"), Captures());
  EXPECT_EQ(Match("a", "ab"), std::nullopt);
  EXPECT_EQ(Match("ab", "a"), std::nullopt);
  EXPECT_EQ(Match("_a", "_a"), Captures());
}

TEST(Pattern, capture_takes_a_component_or_a_part) {
  EXPECT_THAT(*Match("{job}", "orders"), ElementsAre(Pair("job", "orders")));
  EXPECT_THAT(*Match("q-{job}", "q-orders"), ElementsAre(Pair("job", "orders")));
  EXPECT_THAT(*Match("{job}.ckpt", "a.ckpt.ckpt"), ElementsAre(Pair("job", "a.ckpt")));
  EXPECT_THAT(*Match("q-{job}-x", "q-a-x-x"), ElementsAre(Pair("job", "a-x")));
  EXPECT_EQ(Match("q-{job}", "orders"), std::nullopt);
  EXPECT_EQ(Match("{job}.ckpt", "orders"), std::nullopt);
}

TEST(Pattern, gaps_are_not_empty) {
  EXPECT_EQ(Match("q-{job}", "q-"), std::nullopt);
  EXPECT_EQ(Match("{job}-x", "-x"), std::nullopt);
  EXPECT_EQ(Match("q-{job}-x", "q-x"), std::nullopt);
  EXPECT_EQ(Match("q-{job}-x", "q--x"), std::nullopt);
  EXPECT_EQ(Match("*", ""), std::nullopt);
}

TEST(Pattern, earlier_gaps_are_short) {
  EXPECT_THAT(*Match("{env}-{job}", "prod-orders-v2"),
              ElementsAre(Pair("env", "prod"), Pair("job", "orders-v2")));
  EXPECT_THAT(*Match("{env}-{job}", "a--b"), ElementsAre(Pair("env", "a"), Pair("job", "-b")));
  EXPECT_EQ(Match("{env}-{job}", "prod"), std::nullopt);
}

TEST(Pattern, star_matches_without_capture) {
  EXPECT_THAT(*Match("*-{job}", "x-orders"), ElementsAre(Pair("job", "orders")));
  EXPECT_THAT(*Match("*", "x"), IsEmpty());
}

TEST(Pattern, gap_at_the_beginning_matches_nothing_hidden) {
  EXPECT_EQ(Match("{job}", ".orders"), std::nullopt);
  EXPECT_EQ(Match("{job}", "_orders"), std::nullopt);
  EXPECT_EQ(Match("*", "_SUCCESS"), std::nullopt);
  EXPECT_TRUE(Match("_{job}", "_orders"));
  EXPECT_TRUE(Match("q{job}", "q_orders"));
}

TEST(Pattern, refuses_what_has_no_meaning) {
  for (const char* text : {"{", "}", "{job", "job}", "{}", "{a b}", "{a}{a}", "{a}-{a}", "{{a}}",
                           "{a/b}", "{\xC3\xBC}"}) {
    EXPECT_FALSE(Pattern::Parse(text)) << text;
  }
}

TEST(Pattern, fills_a_name) {
  EXPECT_EQ(Pattern::Parse("{env}/{job}!").value().Fill({{"env", "prod"}, {"job", "orders"}}),
            "prod/orders!");
}

TEST(PathPattern, splits_into_components) {
  const auto pattern = PathPattern::Parse("/data/{env}/q-{job}/checkpoint").value();
  EXPECT_EQ(pattern.components().size(), 4);
  EXPECT_THAT(pattern.CaptureNames(), ElementsAre("env", "job"));
  EXPECT_FALSE(pattern.IsLiteral());
  EXPECT_FALSE(pattern.HasAny());
  EXPECT_EQ(pattern.Fill({{"env", "prod"}, {"job", "x"}}), "/data/prod/q-x/checkpoint");
  EXPECT_EQ(PathPattern::Parse("/").value().Fill({}), "/");
}

TEST(PathPattern, refuses_ambiguity) {
  for (const char* text : {"/{a}/{a}", "/{a}{b}", "/*{a}", "/**"}) {
    EXPECT_FALSE(PathPattern::Parse(text)) << text;
  }
}

TEST(LocalPath, normalises) {
  EXPECT_EQ(LocalPath("/data/x"), "/data/x");
  EXPECT_EQ(LocalPath("/data//x/./y/"), "/data/x/y");
  EXPECT_EQ(LocalPath("/"), "/");
  EXPECT_EQ(LocalPath("/data/a..b/..c"), "/data/a..b/..c");
  EXPECT_EQ(LocalPath("/data/a:/b"), "/data/a:/b");
}

TEST(LocalPath, reads_file_uris) {
  EXPECT_EQ(LocalPath("file:/data/x"), "/data/x");
  EXPECT_EQ(LocalPath("file:///data/x/"), "/data/x");
  EXPECT_EQ(LocalPath("file://localhost/data/x"), "/data/x");
  EXPECT_EQ(LocalPath("file://server/data/x").error().kind, ErrorKind::kUnsupported);
}

TEST(LocalPath, says_what_to_do_about_other_schemes) {
  for (const char* text : {"hdfs://nn/x", "hdfs:/x", "s3a://b/x", "s3://b/x", "abfss://c@a/x"}) {
    const auto path = LocalPath(text);
    ASSERT_FALSE(path) << text;
    EXPECT_EQ(path.error().kind, ErrorKind::kUnsupported);
    EXPECT_THAT(path.error().message, HasSubstr("mount it"));
  }
}

TEST(LocalPath, refuses_relative_paths) {
  for (const char* text : {"", "data/x", "./x", "~/x", "/data/../x", "/..", "file:x"}) {
    EXPECT_FALSE(LocalPath(text)) << text;
  }
}

}  // namespace
}  // namespace tidegauge
