#include "daemon/log/log.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// What a line says, its time left out.
std::string Logged(LogFormat format, LogLevel level, std::string_view message,
                   std::initializer_list<LogField> fields, LogLevel least = LogLevel::kInfo) {
  StartLog(least, format);
  testing::internal::CaptureStderr();
  Log(level, message, fields);
  std::string line = testing::internal::GetCapturedStderr();
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";
  const auto time = std::ranges::search(line, kShape, [](unsigned char c, char shape) {
    return shape == '0' ? std::isdigit(c) != 0 : c == shape;
  });
  return time.empty() ? line : line.replace(time.begin(), time.end(), "TIME");
}

TEST(Log, writes_logfmt) {
  EXPECT_EQ(Logged(LogFormat::kLogfmt, LogLevel::kWarn, "it's \"odd\"", {{"query", "orders"}}),
            "ts=TIME level=warn msg=\"it's \\\"odd\\\"\" query=orders\n");
}

TEST(Log, quotes_in_logfmt_what_would_not_be_one_word) {
  EXPECT_THAT(Logged(LogFormat::kLogfmt, LogLevel::kInfo, "m",
                     {{"a", ""}, {"b", "x y"}, {"c", "x=y"}, {"d", "ü"}, {"e", "x\\y"}}),
              EndsWith(" a=\"\" b=\"x y\" c=\"x=y\" d=\"ü\" e=\"x\\\\y\"\n"));
}

TEST(Log, writes_json) {
  EXPECT_EQ(Logged(LogFormat::kJson, LogLevel::kError, "m", {{"query", "a \"b\" \\ %v {} ü"}}),
            "{\"ts\":\"TIME\",\"level\":\"error\",\"msg\":\"m\","
            "\"query\":\"a \\\"b\\\" \\\\ %v {} ü\"}\n");
}

TEST(Log, goes_back_to_logfmt) {
  Logged(LogFormat::kJson, LogLevel::kInfo, "m", {});
  EXPECT_THAT(Logged(LogFormat::kLogfmt, LogLevel::kInfo, "m", {}),
              StartsWith("ts=TIME level=info"));
}

TEST(Log, keeps_to_one_line_and_to_utf_8_whatever_is_said) {
  for (const LogFormat format : {LogFormat::kJson, LogFormat::kLogfmt}) {
    const std::string line =
        Logged(format, LogLevel::kInfo, "a\nb", {{"k", "\x1b[31m\x7f\xff\xfe"}});
    EXPECT_THAT(line, HasSubstr("a\\u000ab"));
    EXPECT_THAT(line, HasSubstr("\\u001b[31m\\u007f"));
    EXPECT_THAT(line, HasSubstr("xff"));
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
    EXPECT_TRUE(std::ranges::none_of(line, [](unsigned char c) { return c >= 0x7F; }));
  }
}

TEST(Log, leaves_out_what_is_below_the_level) {
  EXPECT_THAT(Logged(LogFormat::kLogfmt, LogLevel::kInfo, "m", {}, LogLevel::kWarn), IsEmpty());
  EXPECT_THAT(Logged(LogFormat::kLogfmt, LogLevel::kDebug, "m", {}), IsEmpty());
  EXPECT_THAT(Logged(LogFormat::kLogfmt, LogLevel::kDebug, "m", {}, LogLevel::kDebug),
              HasSubstr("level=debug"));
}

TEST(ParseLog, takes_the_documented_words_only) {
  EXPECT_EQ(ParseLogLevel("warn"), LogLevel::kWarn);
  EXPECT_EQ(ParseLogLevel("WARN"), std::nullopt);
  EXPECT_EQ(ParseLogFormat("json"), LogFormat::kJson);
  EXPECT_EQ(ParseLogFormat("logfmt"), LogFormat::kLogfmt);
  EXPECT_EQ(ParseLogFormat(""), std::nullopt);
}

}  // namespace
}  // namespace tidegauge
