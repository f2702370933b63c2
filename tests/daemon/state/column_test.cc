#include "daemon/state/column.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "tests/daemon/state/sample_ledger.h"

namespace tidegauge {
namespace {

using Numbers = std::map<Partition, std::int64_t>;

Value Text(const char* text) { return std::string(text); }

template <typename T>
void ExpectSurvives(const T& value) {
  T back{};
  ASSERT_TRUE(FromValue(ToValue(value), back));
  EXPECT_EQ(back, value);
}

TEST(Column, NumbersAreExact) {
  for (std::int64_t number : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    ExpectSurvives(number);
    ExpectSurvives(std::optional(number));
    ExpectSurvives(At(number));
    ExpectSurvives(std::optional(At(number)));
  }
  ExpectSurvives(UINT64_MAX);
  ExpectSurvives(true);
  ExpectSurvives(false);
}

TEST(Column, AbsentIsNotZero) {
  ExpectSurvives(std::optional<std::int64_t>());
  ExpectSurvives(std::optional<Time>());
  EXPECT_NE(ToValue(std::optional<std::int64_t>()), ToValue(std::int64_t{0}));
}

TEST(Column, NamesOfKinds) {
  for (Severity s : {Severity::kInfo, Severity::kWarning, Severity::kCritical}) ExpectSurvives(s);
  for (Confidence c : {Confidence::kLikely, Confidence::kCertain}) ExpectSurvives(c);
  for (Bound b : {Bound::kExact, Bound::kAtMost}) ExpectSurvives(b);
  for (Phase p : {Phase::kPending, Phase::kFiring, Phase::kResolved}) ExpectSurvives(p);
  Phase phase{};
  EXPECT_FALSE(FromValue(Text("sleeping"), phase));
}

TEST(Column, TextsAreToldApartByLength) {
  EXPECT_EQ(ToValue(std::vector<std::string>{"hello", "you"}), Text("5:hello3:you"));
  ExpectSurvives(std::vector<std::string>());
  ExpectSurvives(std::vector<std::string>{"", "3:x", std::string("\0'\n\xff", 4)});
}

TEST(Column, OffsetsReadLikeALine) {
  EXPECT_EQ(ToValue(Numbers{{0, 500}, {10, -1}}), Text("0=500 10=-1"));
  ExpectSurvives(Numbers{});
  ExpectSurvives(CompactSizes{{9, 500}, {INT64_MAX, INT64_MIN}});
  ExpectSurvives(Numbers{{INT32_MIN, INT64_MIN}, {INT32_MAX, INT64_MAX}});
}

TEST(Column, SamplesAreDifferences) {
  PartitionRates rates = {{0, {{At(1000), 500}, {At(31'000), 520}}}, {1, {}}, {2, {{At(0), 0}}}};
  EXPECT_EQ(ToValue(rates), Text("0=1000:500,30000:20 1= 2=0:0"));
  ExpectSurvives(rates);
  ExpectSurvives(PartitionRates{});
  ExpectSurvives(PartitionRates{{0, {{At(INT64_MIN), INT64_MAX}, {At(INT64_MAX), INT64_MIN}}}});
}

TEST(Column, PartitionsOfAFinding) {
  std::vector<FindingPartition> partitions = {{0, 500, 0, 800, 500}, {1, 600, {}, {}, {}}};
  EXPECT_EQ(ToValue(partitions), Text("0 500 0 800 500;1 600 ? ? ?"));
  ExpectSurvives(partitions);
  ExpectSurvives(std::vector<FindingPartition>{});
  ExpectSurvives(
      std::vector<FindingPartition>{{0, INT64_MIN, INT64_MAX, -1, {}}, {0, {}, {}, {}, {}}});
}

TEST(Column, WhatNobodyWroteIsRefused) {
  Numbers numbers;
  for (const char* bad : {"x", "0", "0=", "0=1,1=2", "0=1 ", "=1", "0=1x", "9999999999=1",
                          "0=99999999999999999999"}) {
    EXPECT_FALSE(FromValue(Text(bad), numbers)) << bad;
  }
  EXPECT_FALSE(FromValue(Value(), numbers));
  EXPECT_FALSE(FromValue(Value(std::int64_t{5}), numbers));

  PartitionRates rates;
  for (const char* bad : {"0", "0=1", "0=1:", "0=1:2,", "0=1:2;1=", "0=1:2 "}) {
    EXPECT_FALSE(FromValue(Text(bad), rates)) << bad;
  }
  std::vector<FindingPartition> partitions;
  for (const char* bad : {"0", "0 1 2 3", "0 1 2 3 4 5", "0 1 2 3 x", "? 1 2 3 4", "0 1 2 3 4;"}) {
    EXPECT_FALSE(FromValue(Text(bad), partitions)) << bad;
  }
  std::vector<std::string> texts;
  for (const char* bad : {"x", "5:four", "1", "-1:x", "99999999999999999999:x"}) {
    EXPECT_FALSE(FromValue(Text(bad), texts)) << bad;
  }
  std::int64_t number = 0;
  EXPECT_FALSE(FromValue(Text("5"), number));
  bool flag = false;
  EXPECT_FALSE(FromValue(Value(std::int64_t{2}), flag));
  std::string text;
  EXPECT_FALSE(FromValue(Value(std::int64_t{2}), text));
}

}  // namespace
}  // namespace tidegauge
