#include "core/sinklog/entry_reader.h"

#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Entry(int number) {
  return fmt::format(
      R"({{"path":"file:///out/part-{:05}.parquet","size":{},"isDir":false,"modificationTime":{},)"
      R"("blockReplication":1,"blockSize":33554432,"action":"add"}})",
      number, number + 1, 1796009963812 + number);
}

class EntryReader : public ::testing::Test {
 protected:
  Result<std::uint64_t> Read(std::string text) {
    storage_.Write("/log/9.compact", std::move(text));
    return ReadLogEntries(storage_, "/log/9.compact", 0, [this](const LogEntry& entry) {
      paths_.emplace_back(entry.path);
      last_size_ = entry.size;
      last_ = entry;
      return paths_.size() < stop_after_;
    });
  }

  MemoryStorage storage_;
  std::vector<std::string> paths_;
  std::size_t stop_after_ = SIZE_MAX;
  std::int64_t last_size_ = 0;
  LogEntry last_;
};

TEST_F(EntryReader, ShowsEveryField) {
  ASSERT_TRUE(Read("v1\n" + Entry(0) + "\n" + Entry(1)));
  EXPECT_THAT(paths_,
              ElementsAre("file:///out/part-00000.parquet", "file:///out/part-00001.parquet"));
  EXPECT_EQ(last_.size, 2);
  EXPECT_EQ(last_.modified, Time(Duration(1796009963813)));
  EXPECT_FALSE(last_.is_directory);
  EXPECT_EQ(last_.batch, -1);
}

TEST_F(EntryReader, ReadsAFileSourcesLog) {
  ASSERT_TRUE(Read(R"(v1
{"path":"file:///in/f1.txt","timestamp":1700000001000,"batchId":1})"));
  EXPECT_EQ(last_.modified, Time(Duration(1700000001000)));
  EXPECT_EQ(last_.batch, 1);
}

TEST_F(EntryReader, UnescapesPaths) {
  ASSERT_TRUE(Read("v1\n{\"path\":\"file:\\/\\/\\/out\\/a\\\"b\",\"size\":1}"));
  EXPECT_THAT(paths_, ElementsAre("file:///out/a\"b"));
}

TEST_F(EntryReader, ABatchWithoutFilesHasNone) {
  ASSERT_TRUE(Read("v1"));
  ASSERT_TRUE(Read("v1\n"));
  EXPECT_THAT(paths_, IsEmpty());
}

TEST_F(EntryReader, ManyBlocksAreOneFile) {
  constexpr int kEntries = 20'000;
  std::string text = "v1";
  for (int i = 0; i < kEntries; ++i) text += "\n" + Entry(i);
  ASSERT_GT(text.size(), 3 * kEntryBlock);
  ASSERT_TRUE(Read(text));
  ASSERT_THAT(paths_, SizeIs(kEntries));
  EXPECT_EQ(paths_.back(), "file:///out/part-19999.parquet");
  EXPECT_EQ(last_size_, kEntries);
  EXPECT_GE(storage_.CallCount(StorageCall::Kind::kRead), 4u);
}

TEST_F(EntryReader, ALineBreakAtTheEndOfABlockEndsALine) {
  std::string text = "v1\n";
  while (text.size() + 600 < kEntryBlock) text += Entry(7) + "\n";
  const std::string open = R"({"path":"p)";
  const std::string close = "\",\"size\":3}\n";
  text += open + std::string(kEntryBlock - text.size() - open.size() - close.size(), 'x') + close;
  ASSERT_EQ(text.size(), kEntryBlock);
  ASSERT_TRUE(Read(text + Entry(1)));
  EXPECT_EQ(paths_.back(), "file:///out/part-00001.parquet");
}

TEST_F(EntryReader, EndsWhenToldTo) {
  stop_after_ = 2;
  ASSERT_TRUE(Read("v1\n" + Entry(0) + "\n" + Entry(1) + "\n" + Entry(2) + "\n{torn"));
  EXPECT_THAT(paths_, SizeIs(2));
}

TEST_F(EntryReader, CutAtAnyByteItIsCorrupt_ButForALineBreak) {
  const std::string text = "v1\n" + Entry(0) + "\n" + Entry(1);
  for (std::size_t size = 0; size < text.size(); ++size) {
    paths_.clear();
    const std::string cut = text.substr(0, size);
    const bool whole = cut == "v1" || cut.ends_with('\n') || text[size] == '\n';
    const auto read = Read(cut);
    EXPECT_EQ(read.has_value(), whole) << cut;
    EXPECT_EQ((read ? ErrorKind::kCorrupt : read.error().kind), ErrorKind::kCorrupt);
    EXPECT_EQ(paths_.size(), size > Entry(0).size() + 2 ? 1u : 0u) << cut;
  }
}

TEST_F(EntryReader, AForeignLineIsNamedByItsPlace) {
  const auto read = Read("v1\n" + Entry(0) + "\n\"text\"\n" + Entry(1));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("/log/9.compact: a line after 1 entries"));
}

TEST_F(EntryReader, AnotherVersionIsNotGuessedAt) {
  EXPECT_EQ(Read("v2\n" + Entry(0)).error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(Read("v\n" + Entry(0)).error().kind, ErrorKind::kCorrupt);
}

TEST_F(EntryReader, AnEndlessLineEnds) {
  EXPECT_EQ(Read("v1\n" + std::string(3 * kEntryBlock, ' ')).error().kind, ErrorKind::kCorrupt);
}

TEST_F(EntryReader, AStorageErrorIsHandedOn) {
  storage_.FailCall(1, ErrorKind::kDenied);
  EXPECT_EQ(Read("v1\n" + Entry(0)).error().kind, ErrorKind::kDenied);
}

TEST_F(EntryReader, GoesOnAtTheEntryThatWasNotTaken) {
  std::string text = "v1";
  for (int number = 0; number < 20'000; ++number) text += "\n" + Entry(number);  // several blocks
  storage_.Write("/log/9.compact", text);
  std::uint64_t offset = 0;
  int next = 0;
  for (int call = 0; call < 1000 && next < 20'000; ++call) {
    int left = 123;
    const auto read =
        ReadLogEntries(storage_, "/log/9.compact", offset, [&](const LogEntry& entry) {
          if (left-- == 0) return false;
          EXPECT_EQ(entry.path, fmt::format("file:///out/part-{:05}.parquet", next));
          ++next;
          return true;
        });
    ASSERT_TRUE(read) << read.error().message;
    offset = *read;
  }
  EXPECT_EQ(next, 20'000);
  EXPECT_EQ(offset, text.size());
}

TEST_F(EntryReader, TellsTheLastPath) {
  const auto last = [this](const std::string& text) {
    storage_.Write("/log/9.compact", text);
    return LastEntryPath(storage_, "/log/9.compact", text.size()).value();
  };
  EXPECT_EQ(last("v1\n" + Entry(0) + "\n" + Entry(1)), "file:///out/part-00001.parquet");
  std::string large = "v1";
  for (int number = 0; number < 1000; ++number) large += "\n" + Entry(number);
  EXPECT_EQ(last(large), "file:///out/part-00999.parquet");
  EXPECT_EQ(last("v1"), std::nullopt);
  EXPECT_EQ(last(""), std::nullopt);
  EXPECT_EQ(last("v1\n" + Entry(0).substr(0, 40)), std::nullopt);
}

}  // namespace
}  // namespace tidegauge::testing
