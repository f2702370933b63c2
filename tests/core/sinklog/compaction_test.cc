#include "core/sinklog/compaction.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(Compaction, EveryIntervalthBatchCompacts) {
  EXPECT_FALSE(Compacts(8, 10));
  EXPECT_TRUE(Compacts(9, 10));
  EXPECT_FALSE(Compacts(10, 10));
  EXPECT_TRUE(Compacts(0, 1));
  EXPECT_EQ(LogFileName(9, 10), "9.compact");
  EXPECT_EQ(LogFileName(9, 20), "9");
}

TEST(Compaction, TheNextOneMayBeTheBatchItself) {
  EXPECT_EQ(NextCompaction(0, 10), 9);
  EXPECT_EQ(NextCompaction(9, 10), 9);
  EXPECT_EQ(NextCompaction(10, 10), 19);
  EXPECT_EQ(NextCompaction(7, 1), 7);
}

TEST(Compaction, NeedsTheCompactFileBeforeItAndAllSince) {
  EXPECT_EQ(NeededByCompaction(9, 10), (BatchRange{0, 8})) << "the first: there is none before it";
  EXPECT_EQ(NeededByCompaction(19, 10), (BatchRange{9, 18}));
  EXPECT_TRUE(NeededByCompaction(0, 1).empty());
}

TEST(Compaction, AReaderBeginsAtTheNewestCompactFile) {
  EXPECT_EQ(NeededByReader(5, 10), (BatchRange{0, 5}));
  EXPECT_EQ(NeededByReader(9, 10), (BatchRange{9, 9}));
  EXPECT_EQ(NeededByReader(18, 10), (BatchRange{9, 18}));
}

/// What CompactibleFileStreamLog.deriveCompactInterval gives for the id of a lone compact file.
TEST(Compaction, ALoneCompactFileGivesADivisor) {
  struct Row {
    std::int64_t configured;
    BatchId compact;
    std::int64_t interval;
  };
  const std::vector<Row> rows{{10, 4, 5},   {10, 9, 10},  {10, 10, 11}, {10, 18, 19}, {10, 19, 20},
                              {10, 20, 21}, {10, 21, 11}, {10, 22, 23}, {10, 29, 10}, {10, 39, 10},
                              {10, 49, 10}, {10, 99, 10}, {5, 11, 6},   {3, 9, 5},    {3, 19, 4},
                              {20, 9, 10},  {20, 19, 20}, {20, 39, 40}, {20, 59, 20}, {1, 9, 1},
                              {5, 2, 3},    {4, 9, 5},    {4, 7, 8}};
  for (const Row& row : rows) {
    EXPECT_EQ(DeriveInterval(row.configured, {row.compact}), row.interval)
        << row.compact << ".compact, configured " << row.configured;
  }
}

TEST(Compaction, TwoCompactFilesGiveTheirDifference_WhateverIsConfigured) {
  EXPECT_EQ(DeriveInterval(10, {2, 5}), 3);
  EXPECT_EQ(DeriveInterval(10, {9, 14}), 5);
  EXPECT_EQ(DeriveInterval(10, {9, 29}), 20) << "19.compact is lost";
  EXPECT_EQ(DeriveInterval(10, {2, 5, 8, 18}), 10);
  EXPECT_EQ(DeriveInterval(7, {}), 7);
}

TEST(Compaction, ForeignNumbersCostNothing) {
  EXPECT_EQ(DeriveInterval(10, {kMaxLogBatch}), kMaxLogBatch + 1);
  EXPECT_GE(NextCompaction(kMaxLogBatch, kMaxLogBatch - 1), kMaxLogBatch);
}

TEST(Compaction, ExpiryKeepsTheCompactFileThatTheRetainedBatchesRestOn) {
  EXPECT_EQ(ExpiryLimit(119, 10, 100), 19);
  EXPECT_EQ(ExpiryLimit(108, 10, 100), std::nullopt);
  EXPECT_EQ(ExpiryLimit(109, 10, 100), 9);
  EXPECT_EQ(ExpiryLimit(39, 4, 5), 31);
}

}  // namespace
}  // namespace tidegauge
