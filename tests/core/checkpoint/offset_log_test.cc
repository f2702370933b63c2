#include "core/checkpoint/offset_log.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/checkpoint_files.h"

namespace tidegauge {
namespace {

using testing::InitialOffsetsText;
using testing::OffsetsFile;

ErrorKind KindOf(std::string_view text) {
  const auto entry = ParseOffsetLogEntry(text);
  if (entry) ADD_FAILURE() << "parsed: " << text;
  return entry ? ErrorKind::kInvalid : entry.error().kind;
}

TopicOffsets OneLine(std::string_view json) {
  const auto source = ParseSourceLine(json);
  if (!source) ADD_FAILURE() << source.error().message;
  return source ? source->topics : TopicOffsets{};
}

// ------------------------------------------------------------------ version 1

TEST(OffsetLog, Version1) {
  const auto entry = ParseOffsetLogEntry(OffsetsFile{.lines = {R"({"t":{"1":5,"0":10}})"}}.Text());
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->version, 1);
  EXPECT_TRUE(entry->has_metadata);
  EXPECT_EQ(entry->planned_at, Time(Duration(testing::kFirstBatchMs)));
  EXPECT_EQ(entry->shuffle_partitions, "200");
  ASSERT_EQ(entry->sources.size(), 1u);
  EXPECT_EQ(entry->sources[0].id, "0");
  EXPECT_EQ(entry->sources[0].kind, SourceKind::kKafka);
  EXPECT_EQ(entry->sources[0].topics, (TopicOffsets{{"t", {{0, 10}, {1, 5}}}}));
}

TEST(OffsetLog, EmptyMetadataLineIsContinuousMode) {
  for (const std::string_view text : {"v1\n\n{\"t\":{\"0\":1}}", "v1\n  \n{\"t\":{\"0\":1}}"}) {
    const auto entry = ParseOffsetLogEntry(text);
    ASSERT_TRUE(entry);
    EXPECT_FALSE(entry->has_metadata);
    EXPECT_FALSE(entry->planned_at);
    EXPECT_EQ(entry->sources.size(), 1u);
  }
}

TEST(OffsetLog, OldMetadataMayLackEveryField) {
  const auto entry = ParseOffsetLogEntry("v1\n{}\n{\"t\":{\"0\":1}}");
  ASSERT_TRUE(entry);
  EXPECT_TRUE(entry->has_metadata);
  EXPECT_FALSE(entry->planned_at);
  EXPECT_EQ(entry->shuffle_partitions, "");
}

TEST(OffsetLog, ImplausibleTimesAreNone) {
  for (const std::string_view ms : {"0", "-1", "9223372036854775807", "\"1796000000000\"", "1.5"}) {
    const auto entry = ParseOffsetLogEntry("v1\n{\"batchTimestampMs\":" + std::string(ms) +
                                           "}\n{\"t\":{\"0\":1}}");
    ASSERT_TRUE(entry) << ms;
    EXPECT_FALSE(entry->planned_at) << ms;
  }
}

TEST(OffsetLog, EveryLineIsASource) {
  const auto entry = ParseOffsetLogEntry(
      OffsetsFile{.lines = {R"({"a":{"0":1}})", "-", R"({"logOffset":3})", "{}"}}.Text());
  ASSERT_TRUE(entry);
  std::vector<SourceKind> kinds;
  for (const SourceOffset& source : entry->sources) kinds.push_back(source.kind);
  EXPECT_EQ(kinds, (std::vector<SourceKind>{SourceKind::kKafka, SourceKind::kNone,
                                            SourceKind::kOther, SourceKind::kEmpty}));
  EXPECT_EQ(entry->sources[3].id, "3");
}

TEST(OffsetLog, SelfUnionWritesItsLineTwice) {
  const std::string line = R"({"t":{"0":7}})";
  const auto entry = ParseOffsetLogEntry(OffsetsFile{.lines = {line, line}}.Text());
  ASSERT_TRUE(entry);
  ASSERT_EQ(entry->sources.size(), 2u);
  EXPECT_EQ(entry->sources[0].topics, entry->sources[1].topics);
}

TEST(OffsetLog, LineEnds) {
  EXPECT_TRUE(ParseOffsetLogEntry("v1\n{}\n{\"t\":{\"0\":1}}\n")) << "a final line break";
  const auto crlf = ParseOffsetLogEntry("v1\r\n{}\r\n{\"t\":{\"0\":1}}\r\n");
  ASSERT_TRUE(crlf);
  EXPECT_EQ(crlf->sources.size(), 1u);
  EXPECT_EQ(KindOf("v1\n{}\n{\"t\":{\"0\":1}}\n\n"), ErrorKind::kCorrupt) << "a blank source line";
  EXPECT_EQ(KindOf("v1\n{}\n\n{\"t\":{\"0\":1}}"), ErrorKind::kCorrupt);
}

TEST(OffsetLog, VersionLine) {
  const std::string rest = "\n{}\n{\"t\":{\"0\":1}}";
  for (const std::string_view line :
       {"", "v", "v0", "v-1", "v1 ", "v1x", "V1", "{}", "\xef\xbb\xbfv1"}) {
    EXPECT_EQ(KindOf(std::string(line) + rest), ErrorKind::kCorrupt) << line;
  }
  EXPECT_EQ(KindOf("v3" + rest), ErrorKind::kUnsupported);
  EXPECT_EQ(KindOf("v9"), ErrorKind::kUnsupported) << "a newer version may have other lines";
}

TEST(OffsetLog, TornFiles) {
  EXPECT_EQ(KindOf(""), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1\n"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1\n{}"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1\n{}\n"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1\n{\"batch\n{\"t\":{\"0\":1}}"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1\n[]\n{\"t\":{\"0\":1}}"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1\n{}\n{\"t\":{\"0\":1}"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf(std::string(4096, '\0')), ErrorKind::kCorrupt)
      << "blocks that were never written";
}

TEST(OffsetLog, ErrorsNameTheLine) {
  const auto entry = ParseOffsetLogEntry("v1\n{}\n{\"t\":{\"0\":1}}\n{\"u\":");
  ASSERT_FALSE(entry);
  EXPECT_TRUE(entry.error().message.starts_with("line 4:")) << entry.error().message;
}

TEST(OffsetLog, MoreLinesThanAnyQueryHasSources) {
  std::string text = "v1\n{}";
  for (int i = 0; i < 10'001; ++i) text += "\n-";
  EXPECT_EQ(KindOf(text), ErrorKind::kCorrupt);
}

// ------------------------------------------------------------------ version 2

TEST(OffsetLog, Version2NamesItsSources) {
  const auto entry = ParseOffsetLogEntry(OffsetsFile{
      .lines = {R"(beta_2:{"v2u":{"0":5,"1":3}})", R"(alpha:{"v2t":{"0":6}})", "0:-", "1:3"},
      .version = 2}
                                             .Text());
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->version, 2);
  ASSERT_EQ(entry->sources.size(), 4u);
  EXPECT_EQ(entry->sources[0].id, "beta_2");
  EXPECT_EQ(entry->sources[0].topics, (TopicOffsets{{"v2u", {{0, 5}, {1, 3}}}}));
  EXPECT_EQ(entry->sources[1].id, "alpha");
  EXPECT_EQ(entry->sources[2].kind, SourceKind::kNone);
  EXPECT_EQ(entry->sources[3].kind, SourceKind::kOther);
}

TEST(OffsetLog, Version2MistakesAreCorrupt) {
  EXPECT_EQ(KindOf("v2\n\n0:{\"t\":{\"0\":1}}"), ErrorKind::kCorrupt) << "metadata is mandatory";
  EXPECT_EQ(KindOf("v2\n{}\n-"), ErrorKind::kCorrupt) << "no colon";
  EXPECT_EQ(KindOf("v2\n{}\n:{\"t\":{\"0\":1}}"), ErrorKind::kCorrupt) << "no name";
  EXPECT_EQ(KindOf("v2\n{}\n0:"), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v2\n{}\n0:-\n0:-"), ErrorKind::kCorrupt) << "a source twice";
  EXPECT_EQ(KindOf("v2\n{}\n{\"t\":{\"0\":1}}"), ErrorKind::kCorrupt) << "a line of version 1";
}

// ------------------------------------------------------------------ source lines

TEST(OffsetLog, LinesOfOtherSources) {
  for (const std::string_view line :
       {R"({"logOffset":7})", "7", "3", R"({"offset":215,"timestamp":43000})",
        R"({"1":{"value":21,"runTimeMs":1796}})", R"({"0":3,"1":2})", "[1,2]",
        R"({"sourceVersion":1,"reservoirId":"x","reservoirVersion":5,"index":-1})",
        R"({"version":1,"snapshot_id":5,"position":0,"scan_all_files":false})",
        R"({"metadata":{"batchId":"3"},"shardId-000":{"iteratorType":"x"}})", R"("text")",
        R"({"t":{"0":1.5}})", R"({"t":{"0":"1"}})", R"({"t":{"a":1}})", R"({"t":{"-1":1}})",
        R"({"t":{"2147483648":1}})", R"({"t":{"":1}})", R"({"t":null})",
        R"({"t":{"0":1},"u":5})"}) {
    const auto source = ParseSourceLine(line);
    ASSERT_TRUE(source) << line;
    EXPECT_EQ(source->kind, SourceKind::kOther) << line;
    EXPECT_TRUE(source->topics.empty()) << line;
  }
}

TEST(OffsetLog, TopicsMayBeCalledAnythingLegal) {
  EXPECT_EQ(OneLine(R"({"metadata":{"0":1},"logOffset":{"0":2},"0":{"0":3}})"),
            (TopicOffsets{{"metadata", {{0, 1}}}, {"logOffset", {{0, 2}}}, {"0", {{0, 3}}}}));
}

TEST(OffsetLog, LimitsOfNumbers) {
  EXPECT_EQ(OneLine(R"({"t":{"0":0,"2147483647":9223372036854775807}})"),
            (TopicOffsets{{"t", {{0, 0}, {2147483647, std::numeric_limits<Offset>::max()}}}}));
  for (const std::string_view offset :
       {"9223372036854775808", "18446744073709551615", "18446744073709551616", "-1", "-2",
        "99999999999999999999999999"}) {
    const auto source = ParseSourceLine("{\"t\":{\"0\":" + std::string(offset) + "}}");
    ASSERT_FALSE(source) << offset;
    EXPECT_EQ(source.error().kind, ErrorKind::kCorrupt) << offset;
  }
}

TEST(OffsetLog, NothingReadYet) {
  for (const std::string_view line : {"{}", "{ }", R"({"t":{}})"}) {
    const auto source = ParseSourceLine(line);
    ASSERT_TRUE(source) << line;
    EXPECT_EQ(source->kind, SourceKind::kEmpty) << line;
  }
  EXPECT_EQ(ParseSourceLine("-")->kind, SourceKind::kNone);
}

TEST(OffsetLog, NamesThatKafkaDoesNotAllow) {
  for (const std::string& name :
       {std::string(), std::string("."), std::string("a b"), std::string("a/b"), std::string("ä"),
        std::string(250, 'x'), std::string("<script>")}) {
    const auto source = ParseSourceLine("{\"" + name + "\":{\"0\":1}}");
    ASSERT_FALSE(source) << name;
    EXPECT_EQ(source.error().kind, ErrorKind::kCorrupt) << name;
  }
}

TEST(OffsetLog, DepthBombs) {
  EXPECT_EQ(KindOf("v1\n{}\n{\"t\":" + std::string(50'000, '[')), ErrorKind::kCorrupt);
  std::string nested;
  for (int i = 0; i < 5'000; ++i) nested += "{\"t\":";
  nested += "1" + std::string(5'000, '}');
  EXPECT_EQ(KindOf("v1\n{}\n" + nested), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf("v1\n" + nested + "\n{\"t\":{\"0\":1}}"), ErrorKind::kCorrupt);
}

TEST(OffsetLog, ManyPartitions) {
  std::string line = R"({"t":{"0":1)";
  for (int i = 1; i < 100'000; ++i) line += ",\"" + std::to_string(i) + "\":" + std::to_string(i);
  EXPECT_EQ(OneLine(line + "}}").at("t").size(), 100'000u);
}

// ------------------------------------------------------------------ sources/K/0

TEST(InitialOffsets, StartWithAZeroByte) {
  const auto topics = ParseInitialOffsets(InitialOffsetsText(R"({"t":{"0":0,"1":7}})"));
  EXPECT_EQ(topics, (TopicOffsets{{"t", {{0, 0}, {1, 7}}}}));
  EXPECT_EQ(ParseInitialOffsets(InitialOffsetsText("{}")), TopicOffsets());
}

TEST(InitialOffsets, FormOfSpark210HasNoVersion) {
  EXPECT_EQ(ParseInitialOffsets(std::string(1, '\0') + R"({"t":{"0":3}})"),
            (TopicOffsets{{"t", {{0, 3}}}}));
}

TEST(InitialOffsets, LogsOfOtherSources) {
  for (const std::string_view text :
       {"v1\n1796000000000", "v1\n{\"path\":\"file:///in/f\",\"timestamp\":1,\"batchId\":0}",
        "{\"t\":{\"0\":3}}", ""}) {
    EXPECT_FALSE(IsKafkaInitialOffsets(text)) << text;
    const auto topics = ParseInitialOffsets(text);
    ASSERT_FALSE(topics) << text;
    EXPECT_EQ(topics.error().kind, ErrorKind::kCorrupt) << text;
  }
}

TEST(InitialOffsets, NewerVersionIsUnsupported) {
  const auto topics = ParseInitialOffsets(std::string(1, '\0') + "v2\n{\"t\":{\"0\":3}}");
  ASSERT_FALSE(topics);
  EXPECT_EQ(topics.error().kind, ErrorKind::kUnsupported);
}

TEST(InitialOffsets, EveryTruncationIsCorrupt) {
  const std::string whole = InitialOffsetsText(R"({"t":{"0":10,"1":7}})");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto topics = ParseInitialOffsets(std::string_view(whole).substr(0, size));
    ASSERT_FALSE(topics) << size;
    EXPECT_EQ(topics.error().kind, ErrorKind::kCorrupt) << size;
  }
}

TEST(InitialOffsets, NoOtherLines) {
  const std::string zero(1, '\0');
  for (const std::string& text : {zero + "v1\n-", zero + "v1\n7", zero + "v1\n{\"logOffset\":1}",
                                  zero + "v1 \n{}", zero + "v1\n{}\n{}", zero + zero + "v1\n{}"}) {
    EXPECT_FALSE(ParseInitialOffsets(text)) << text;
  }
}

}  // namespace
}  // namespace tidegauge
