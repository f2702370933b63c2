// The states that people met, with what the arithmetic has to say about each.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "core/sinklog/log_view.h"
#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAreArray;

struct Case {
  std::string name;
  std::int64_t configured;
  std::vector<std::string> files;
  std::int64_t interval;
  BatchId newest;
  BatchId next_compaction;
  std::vector<std::string> missing;
  std::vector<std::string> reader_misses;
};

std::vector<std::string> Plain(std::vector<std::string> files, BatchId first, BatchId last) {
  for (BatchId batch = first; batch <= last; ++batch) files.push_back(std::to_string(batch));
  return files;
}

std::vector<std::string> Without(std::vector<std::string> files, const std::string& name) {
  std::erase(files, name);
  return files;
}

const std::vector<Case> kCases{
    {"C59", 10, Plain({}, 2, 5), 10, 5, 9, {"0", "1"}, {"0", "1"}},
    {"C61", 10, Plain({}, 10, 18), 10, 18, 19, {"9.compact"}, {"9.compact"}},
    {"C62", 10, Plain({"9.compact"}, 20, 28), 10, 28, 29, {"19.compact"}, {"19.compact"}},
    {"C64", 10, {"501"}, 10, 501, 509, {"499.compact", "500"}, {"499.compact", "500"}},
    {"C70", 5, {"0", "1", "2.compact", "3", "4"}, 3, 4, 5, {}, {}},
    {"C77", 10, Plain({}, 30, 33), 10, 33, 39, {"29.compact"}, {"29.compact"}},
    {"healthy", 10, Plain({"9.compact", "19.compact"}, 20, 21), 10, 21, 29, {}, {}},
    {"lone_19", 10, Plain({"19.compact"}, 20, 22), 20, 22, 39, {}, {}},
    {"lone_29", 10, Plain({"29.compact"}, 30, 31), 10, 31, 39, {}, {}},
    {"lone_11", 5, Plain({"11.compact"}, 12, 13), 6, 13, 17, {}, {}},
    {"lone_9", 4, {"9.compact", "10"}, 5, 10, 14, {}, {}},
    {"pair_9_14", 10, {"9.compact", "14.compact", "15"}, 5, 15, 19, {}, {}},
    {"hole",
     10,
     Without(Plain({"9.compact", "19.compact"}, 20, 23), "21"),
     10,
     23,
     29,
     {"21"},
     {"21"}},
    {"C83",
     10,
     Plain({}, 12, 15),
     10,
     15,
     19,
     {"9.compact", "10", "11"},
     {"9.compact", "10", "11"}},
};

class CompactionCase : public ::testing::TestWithParam<Case> {};

TEST_P(CompactionCase, IsAsInTheTable) {
  const Case& expected = GetParam();
  MemoryStorage storage;
  for (const std::string& name : expected.files) {
    storage.Write("/out/_spark_metadata/" + name, "v1");
  }
  Checkpoint checkpoint{.path = "/c"};
  checkpoint.newest_batch = checkpoint.committed_batch = expected.newest;
  const QueryLogs logs =
      ReadLogs(storage, checkpoint, "/out", {.sink = expected.configured}, {}, Time());
  const LogView view = ViewLogs(logs, checkpoint, Time()).at(0);
  EXPECT_EQ(view.log->interval, expected.interval);
  EXPECT_EQ(view.newest, expected.newest);
  EXPECT_EQ(view.restarted.batch, expected.next_compaction);
  EXPECT_THAT(view.restarted.lacking.names, ElementsAreArray(expected.missing));
  EXPECT_THAT(view.gap.names, ElementsAreArray(expected.reader_misses));
}

INSTANTIATE_TEST_SUITE_P(States, CompactionCase, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tidegauge::testing
