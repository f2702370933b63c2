#include "core/detectors/record_counts.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(RecordCounts, ASumWithAnUnknownPartIsUnknown) {
  EXPECT_EQ(SumRecords({{.records = 3}, {.records = 4}}), 7);
  EXPECT_EQ(SumRecords({{.records = 3}, {}}), std::nullopt);
  EXPECT_EQ(SumRecords({}), 0);
}

TEST(RecordCounts, CountsInWords) {
  EXPECT_EQ(CountRecords(0), "0 records");
  EXPECT_EQ(CountRecords(1), "1 record");
  EXPECT_EQ(CountRecords(500), "500 records");
  EXPECT_EQ(CountRecords(500, Bound::kAtMost), "at most 500 records");
  EXPECT_EQ(CountRecords(std::nullopt, Bound::kAtMost), "an unknown number of records");
}

TEST(RecordCounts, NamesUpToFourPartitions) {
  std::vector<FindingPartition> partitions{{.partition = 3}};
  EXPECT_EQ(NamePartitions(partitions), "partition 3");
  partitions.push_back({.partition = 5});
  EXPECT_EQ(NamePartitions(partitions), "partitions 3 and 5");
  partitions.push_back({.partition = 6});
  partitions.push_back({.partition = 7});
  EXPECT_EQ(NamePartitions(partitions), "partitions 3, 5, 6 and 7");
  partitions.push_back({.partition = 8});
  EXPECT_EQ(NamePartitions(partitions), "5 partitions (3, 5, 6, 7, …)");
  EXPECT_EQ(NamePartitions({}), "no partition");
}

}  // namespace
}  // namespace tidegauge
