#include "core/sinklog/log_file.h"

#include <string>

#include <gmock/gmock.h>

#include "tests/support/memory_storage.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;

const std::string kEntry =
    R"({"path":"file:///out/part-00000-c000.txt","size":6,"isDir":false,)"
    R"("modificationTime":1796009963812,"blockReplication":1,"blockSize":33554432,"action":"add"})";

LogFileFault FaultIn(const std::string& text) { return CheckLogText(text, {}).fault; }

TEST(LogFile, WhatSparkWritesIsSound) {
  EXPECT_EQ(FaultIn("v1"), LogFileFault::kNone) << "a batch without files";
  EXPECT_EQ(FaultIn("v1\n" + kEntry), LogFileFault::kNone);
  EXPECT_EQ(FaultIn("v1\n" + kEntry + "\n" + kEntry), LogFileFault::kNone);
  EXPECT_EQ(FaultIn("v1\n{\"path\":\"file:///in/f\",\"timestamp\":17,\"batchId\":1}"),
            LogFileFault::kNone)
      << "a file source's";
}

TEST(LogFile, AnEmptyOneIsEmpty) { EXPECT_EQ(FaultIn(""), LogFileFault::kEmpty); }

TEST(LogFile, CutAtAnyByteItIsTorn_ButForALineBreak) {
  const std::string text = "v1\n" + kEntry + "\n" + kEntry;
  for (std::size_t size = 1; size < text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    const bool whole = cut == "v1" || cut.ends_with('\n') || text[size] == '\n';
    EXPECT_EQ(FaultIn(cut), whole ? LogFileFault::kNone : LogFileFault::kTorn) << cut;
  }
}

TEST(LogFile, WhatIsNotSparksIsForeign) {
  EXPECT_EQ(FaultIn("hello\nworld"), LogFileFault::kForeign);
  EXPECT_EQ(FaultIn(std::string(64, '\0')), LogFileFault::kForeign) << "after a crash of the host";
  EXPECT_EQ(FaultIn("v1\n\n" + kEntry), LogFileFault::kForeign);
  EXPECT_EQ(FaultIn("v1\n1796009963812\n"), LogFileFault::kForeign) << "a rate source's";
  EXPECT_EQ(FaultIn("v1\n{\"size\":6}\n" + kEntry), LogFileFault::kForeign);
}

TEST(LogFile, ALaterVersionIsNamed) {
  const LogFileCheck check = CheckLogText("v2\nsomething else", {});
  EXPECT_EQ(check.fault, LogFileFault::kTooNew);
  EXPECT_THAT(check.why, HasSubstr("v2"));
}

class LargeLogFile : public ::testing::Test {
 protected:
  LargeLogFile() {
    text_ = "v1";
    while (text_.size() < 4 * kLogFileWindow) text_ += "\n" + kEntry;
  }
  LogFileFault Check() {
    storage_.Write("/log/9.compact", text_);
    return CheckLogFile(storage_, "/log/9.compact", text_.size())->fault;
  }
  MemoryStorage storage_;
  std::string text_;
};

TEST_F(LargeLogFile, OnlyItsEndsAreRead) {
  EXPECT_EQ(Check(), LogFileFault::kNone);
  EXPECT_EQ(storage_.CallCount(StorageCall::Kind::kRead), 2u);
}

TEST_F(LargeLogFile, ATornEndIsSeen) {
  text_.resize(text_.size() - 3);
  EXPECT_EQ(Check(), LogFileFault::kTorn);
}

TEST_F(LargeLogFile, AForeignBeginningIsSeen) {
  text_.replace(0, 2, "x1");
  EXPECT_EQ(Check(), LogFileFault::kForeign);
}

TEST_F(LargeLogFile, WhatCannotBeReadIsAnError) {
  text_ += "\n" + kEntry;
  storage_.Write("/log/9.compact", text_);
  for (const std::size_t call : {1u, 2u}) {
    storage_.ResetCalls();
    storage_.FailCall(call, ErrorKind::kUnavailable);
    EXPECT_EQ(CheckLogFile(storage_, "/log/9.compact", text_.size()).error().kind,
              ErrorKind::kUnavailable);
  }
}

}  // namespace
}  // namespace tidegauge::testing
