#include "config/replay_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

Time At(std::int64_t milliseconds) { return Time(Duration(milliseconds)); }

RecordedCluster Parse(std::string_view text) {
  const auto cluster = ParseReplay(text);
  EXPECT_TRUE(cluster) << Render("replay", cluster.error());
  return cluster.value_or(RecordedCluster{});
}

std::string MistakesIn(std::string_view text) {
  const auto cluster = ParseReplay(text);
  return cluster ? "none" : Render("r", cluster.error());
}

// A replay file with one partition written so.
std::string WithPartition(std::string_view partition) {
  return fmt::format("topics:\n  t:\n    partitions:\n      0: {}\n", partition);
}

TEST(ParseReplay, reads_what_the_design_shows) {
  const RecordedCluster cluster = Parse(R"(cluster_id: lab-1
topics:
  test-topic:
    id: 6sdon+hdTpGDPuUqycli4g         # optional
    partitions:
      0: {log_start: 0, log_end: 300, by_time: [[1796009000000, 0]]}
)");
  EXPECT_EQ(cluster.cluster_id, "lab-1");
  const RecordedTopic& topic = cluster.topics.at("test-topic");
  EXPECT_EQ(topic.id, "6sdon+hdTpGDPuUqycli4g");
  EXPECT_EQ(topic.timestamp_type, TimestampType::kUnknown);
  EXPECT_EQ(
      topic.partitions.at(0),
      (RecordedPartition{.log_start = 0, .log_end = 300, .by_time = {{At(1796009000000), 0}}}));
}

TEST(ParseReplay, what_is_left_out_is_unknown) {
  const RecordedCluster cluster = Parse("topics: {t: {partitions: {3: {}}}, u: {partitions: {}}}");
  EXPECT_EQ(cluster.cluster_id, "");
  EXPECT_EQ(cluster.topics.at("t").id, "");
  EXPECT_EQ(cluster.topics.at("t").partitions.at(3).log_start, std::nullopt);
  EXPECT_TRUE(cluster.topics.at("u").partitions.empty());
}

TEST(ParseReplay, reads_timestamp_types) {
  const RecordedCluster cluster = Parse(
      "topics: {a: {timestamp_type: CreateTime, partitions: {}},"
      " b: {timestamp_type: LogAppendTime, partitions: {}}}");
  EXPECT_EQ(cluster.topics.at("a").timestamp_type, TimestampType::kCreateTime);
  EXPECT_EQ(cluster.topics.at("b").timestamp_type, TimestampType::kLogAppendTime);
}

TEST(ParseReplay, reads_the_largest_offset) {
  EXPECT_EQ(Parse(WithPartition("{log_end: 9223372036854775807}"))
                .topics.at("t")
                .partitions.at(0)
                .log_end,
            9223372036854775807);
}

TEST(ParseReplay, refuses_what_is_no_offset) {
  const std::string message = "must be a whole number from 0 to 9223372036854775807";
  for (const char* offset :
       {"-1", "9223372036854775808", "1.0", "many", "~", "[1]", "''", "+1", "0x1"}) {
    EXPECT_THAT(MistakesIn(WithPartition(fmt::format("{{log_end: {}}}", offset))),
                testing::StartsWith("r:4: 'log_end' " + message))
        << offset;
  }
}

TEST(ParseReplay, by_time_ascends) {
  EXPECT_EQ(MistakesIn(WithPartition("{by_time: [[1, 0], [1, 0], [2, 5]]}")), "none");
  const std::string message = "r:4: 'by_time' must ascend, in timestamps and in offsets\n";
  EXPECT_EQ(MistakesIn(WithPartition("{by_time: [[2, 0], [1, 5]]}")), message);
  EXPECT_EQ(MistakesIn(WithPartition("{by_time: [[1, 5], [2, 0]]}")), message);
}

TEST(ParseReplay, by_time_holds_pairs) {
  const std::string message =
      "r:4: an entry of 'by_time' must be a pair: [timestamp in milliseconds, offset]\n";
  for (const char* entry : {"[1]", "[1, 2, 3]", "1", "{1: 2}", "~"}) {
    EXPECT_EQ(MistakesIn(WithPartition(fmt::format("{{by_time: [{}]}}", entry))), message);
  }
  EXPECT_EQ(MistakesIn(WithPartition("{by_time: {1: 2}}")),
            "r:4: 'by_time' must be a list of [timestamp, offset] pairs, not a mapping\n");
}

TEST(ParseReplay, tells_all_mistakes_at_once) {
  EXPECT_EQ(MistakesIn(R"(cluster: lab-1
topics:
  a/b: {partitions: {}}
  t:
    id: 123
    timestamp_type: create
    partitions:
      0: {log_strat: 0}
      00: {}
      x: {}
      2147483648: {}
      1: [0, 1]
  u:
    partition: {}
  t: {partitions: {}}
  v: ~
)"),
            R"(r:1: unknown key 'cluster', known: cluster_id, topics
r:3: 'a/b' is no topic name
r:5: 'id' must be the 22 characters of a topic id in base64, not '123'
r:6: 'timestamp_type' must be CreateTime or LogAppendTime, not 'create'
r:8: unknown key 'log_strat', did you mean 'log_start'?
r:9: partition 0 is there twice
r:10: a partition must be a whole number from 0 to 2147483647, not 'x'
r:11: a partition must be a whole number from 0 to 2147483647, not '2147483648'
r:12: a partition must be a mapping, not a list
r:14: 'partitions' is missing
r:14: unknown key 'partition', did you mean 'partitions'?
r:15: duplicate key 't', already set in line 4
r:16: a topic must be a mapping, not nothing
)");
}

TEST(ParseReplay, refuses_what_is_no_recording) {
  EXPECT_EQ(MistakesIn(""), "r: the file must be a mapping, not nothing\n");
  EXPECT_EQ(MistakesIn("[]"), "r:1: the file must be a mapping, not a list\n");
  EXPECT_EQ(MistakesIn("cluster_id: x"),
            "r:1: 'topics' is missing: write topics: {} for a cluster without topics\n");
  EXPECT_EQ(MistakesIn("topics: {"), "r:1: not valid YAML: end of map flow not found\n");
}

TEST(FormatReplay, reads_back_as_the_same) {
  RecordedCluster cluster{.cluster_id = "MkU3OEVBNTcwNTJENDM2Qk"};
  for (const char* name : {"null", "true", "1", "-", "---", "a.b", "_x", "~"}) {
    if (std::string_view(name) == "~") continue;
    cluster.topics[name].partitions[0] = {.log_start = 0, .log_end = 5};
  }
  cluster.topics["t"] = {
      .id = "+sdon/hdTpGDPuUqycli4g",
      .timestamp_type = TimestampType::kLogAppendTime,
      .partitions = {
          {0, {}}, {1, {.log_end = 7}}, {2147483647, {.by_time = {{At(1), 0}, {At(2), 9}}}}}};
  cluster.topics["empty"] = {.timestamp_type = TimestampType::kCreateTime};
  EXPECT_EQ(Parse(FormatReplay(cluster)), cluster);
  EXPECT_EQ(Parse(FormatReplay({})), RecordedCluster());
}

TEST(FormatReplay, writes_a_partition_a_line) {
  RecordedCluster cluster{.cluster_id = "lab-1"};
  cluster.topics["t"] = {
      .id = "6sdon+hdTpGDPuUqycli4g",
      .partitions = {{0, {.log_start = 0, .log_end = 300, .by_time = {{At(1796009000000), 0}}}}}};
  EXPECT_EQ(FormatReplay(cluster), R"(cluster_id: lab-1
topics:
  t:
    id: 6sdon+hdTpGDPuUqycli4g
    partitions:
      0: {log_start: 0, log_end: 300, by_time: [[1796009000000, 0]]}
)");
}

TEST(LoadReplayFile, reads_a_large_recording) {
  const TempDirectory directory;
  RecordedCluster cluster;
  RecordedTopic& topic = cluster.topics["t"];
  for (Partition p = 0; p < 2000; ++p) {
    topic.partitions[p] = {
        .log_start = p, .log_end = 2 * p, .by_time = {{At(p), p}, {At(p + 1), p}}};
  }
  ASSERT_TRUE(WriteReplayFile(directory / "kafka.yaml", cluster));
  EXPECT_EQ(LoadReplayFile(directory / "kafka.yaml"), cluster);
}

TEST(LoadReplayFile, says_when_there_is_none) {
  const auto cluster = LoadReplayFile("/no/such/kafka.yaml");
  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().front().message, "no such file: check the path, or create it");
}

TEST(WriteReplayFile, names_a_file_that_cannot_be_written) {
  const auto written = WriteReplayFile("/no/such/kafka.yaml", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            "/no/such/kafka.yaml cannot be written: No such file or directory");
  EXPECT_FALSE(WriteReplayFile("/dev/full", {}));
}

}  // namespace
}  // namespace tidegauge
