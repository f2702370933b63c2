#include "core/checkpoint/lost_batches.h"

#include <vector>

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using Kind = Damage::Kind;
using Ids = std::vector<BatchId>;

std::optional<LostBatches> Find(Ids offsets, Ids commits, bool continuous = false) {
  CheckpointListing listing;
  listing.offsets = std::move(offsets);
  listing.commits = std::move(commits);
  listing.is_checkpoint = true;
  return FindLostBatches(listing, continuous, "/c");
}

struct Row {
  Ids offsets;
  Ids commits;
  Kind kind;
  BatchId batch;
  bool position_is_known;
};

TEST(LostBatches, WhatARestartWouldMiss) {
  for (const Row& row : std::vector<Row>{
           {{0, 2}, {0, 1, 2}, Kind::kOffsetsLost, 1, true},
           {{0, 2}, {0, 1}, Kind::kOffsetsLost, 1, false},
           {{7}, {}, Kind::kOffsetsLost, 6, false},
           {{0, 1}, {0, 1, 2, 3}, Kind::kCommitsAhead, 1, true},
           {{}, {4, 5}, Kind::kOffsetsGone, 5, true},
       }) {
    const auto lost = Find(row.offsets, row.commits);
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->damage.kind, row.kind);
    EXPECT_EQ(lost->damage.batch, row.batch);
    EXPECT_EQ(lost->position_is_known, row.position_is_known);
    EXPECT_FALSE(lost->problem.empty());
  }
  EXPECT_EQ(Find({3, 5}, {4}, true)->damage.kind, Kind::kEpochLost);
}

TEST(LostBatches, HealthyLogs) {
  EXPECT_FALSE(Find({}, {}));
  EXPECT_FALSE(Find({0}, {}));
  EXPECT_FALSE(Find({0, 1}, {0}));
  EXPECT_FALSE(Find({0, 1}, {}));
  EXPECT_FALSE(Find({40, 41}, {40, 41}));
  EXPECT_TRUE(Find({41}, {40, 41})) << "Spark keeps a hundred: nobody purges so near the end";
  EXPECT_FALSE(Find({0, 3, 8}, {0, 3}));
  EXPECT_FALSE(Find({3, 4, 5, 6}, {3, 4}, true));
}

TEST(LostBatches, EverythingIsGone) {
  EXPECT_EQ(FindLostBatches({}, false, "/c")->damage.kind, Kind::kEmpty);
  CheckpointListing listing;
  listing.is_checkpoint = listing.has_state = true;
  EXPECT_EQ(FindLostBatches(listing, false, "/c")->damage.kind, Kind::kOffsetsGone);
}

}  // namespace
}  // namespace tidegauge
