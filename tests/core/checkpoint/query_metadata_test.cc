#include "core/checkpoint/query_metadata.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/support/checkpoint_files.h"

namespace tidegauge {
namespace {

TEST(QueryMetadata, TheIdThatSparkWrote) {
  EXPECT_EQ(ParseQueryMetadata(testing::kMetadataText), "6eca668f-64be-4c5d-8fe4-404f4c70938b");
  EXPECT_EQ(ParseQueryMetadata("{\"id\":\"a\"}\n"), "a");
  EXPECT_EQ(ParseQueryMetadata("{\"more\":1,\"id\":\"a\"}"), "a");
}

TEST(QueryMetadata, WhatSparkDidNotWrite) {
  for (const std::string_view text :
       {"", "{", "{}", "[]", "\"id\"", "{\"id\":\"\"}", "{\"id\":1}", "{\"id\":\"a\"",
        "{\"id\":\"a\"}}", "{\"id\":null}", "{\"id\":\"\xff\"}"}) {
    const auto id = ParseQueryMetadata(text);
    ASSERT_FALSE(id) << text;
    EXPECT_EQ(id.error().kind, ErrorKind::kCorrupt) << text;
  }
}

TEST(QueryMetadata, EveryTruncationIsCorrupt) {
  const std::string_view whole = testing::kMetadataText;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ParseQueryMetadata(whole.substr(0, size))) << size;
  }
}

TEST(QueryMetadata, DepthBomb) {
  EXPECT_FALSE(ParseQueryMetadata(R"({"id":)" + std::string(30'000, '[')));
  EXPECT_FALSE(ParseQueryMetadata(std::string(30'000, '{')));
}

}  // namespace
}  // namespace tidegauge
