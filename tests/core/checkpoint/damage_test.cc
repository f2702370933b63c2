#include "core/checkpoint/damage.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using Kind = Damage::Kind;

TEST(Damage, IsTakenFromWhatAnErrorSays) {
  EXPECT_EQ(DescribeDamage(Kind::kOffsetsUnreadable, "/c", "/c/offsets/9: empty"),
            (Damage{Kind::kOffsetsUnreadable, "offsets/9", 9, "empty"}));
  EXPECT_EQ(DescribeDamage(Kind::kCommitUnreadable, "/c", "/c/commits/9: line 2: expected: x"),
            (Damage{Kind::kCommitUnreadable, "commits/9", 9, "line 2: expected: x"}));
  EXPECT_EQ(DescribeDamage(Kind::kOffsetsUnreadable, "/c", "/c/offsets/9 is not a regular file"),
            (Damage{Kind::kOffsetsUnreadable, "offsets/9", 9, "is not a regular file"}));
  EXPECT_EQ(DescribeDamage(Kind::kMetadataUnreadable, "/c", "/c/metadata: torn"),
            (Damage{Kind::kMetadataUnreadable, "metadata", -1, "torn"}));
}

TEST(Damage, InitialOffsetsAreNoBatch) {
  EXPECT_EQ(DescribeDamage(Kind::kOffsetsUnreadable, "/c", "/c/sources/0/0: empty"),
            (Damage{Kind::kOffsetsUnreadable, "sources/0/0", -1, "empty"}));
}

TEST(Damage, WhatNamesNoFileIsKeptWhole) {
  EXPECT_EQ(DescribeDamage(Kind::kVersion, "/c", "/d/offsets/9: empty").what,
            "/d/offsets/9: empty");
  EXPECT_EQ(DescribeDamage(Kind::kVersion, "/c", "/c/offsets/9").file, "offsets/9");
}

}  // namespace
}  // namespace tidegauge
