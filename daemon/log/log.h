// The log: one line an event, on standard error, as Prometheus writes it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tidegauge {

enum class LogLevel { kDebug, kInfo, kWarn, kError };
enum class LogFormat { kLogfmt, kJson };

std::optional<LogLevel> ParseLogLevel(std::string_view text);
std::optional<LogFormat> ParseLogFormat(std::string_view text);

/// What a line says besides its message. The value is quoted and escaped as the format wants.
struct LogField {
  std::string_view key;
  std::string value;
};

/// Sets level and format; until then it is info and logfmt. Any thread may log at any time.
void StartLog(LogLevel level, LogFormat format);

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

}  // namespace tidegauge
