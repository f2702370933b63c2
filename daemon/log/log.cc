#include "daemon/log/log.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include <fmt/core.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "daemon/expose/clean_text.h"

namespace tidegauge {
namespace {

std::atomic<LogFormat> format_in_use{LogFormat::kLogfmt};

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

std::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kError:
      return "error";
  }
  return {};
}

/// JSON's escapes; logfmt takes the same between quotes.
std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : WellFormed(text)) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

bool NeedsQuotes(std::string_view text) {
  return text.empty() || std::ranges::any_of(text, [](char c) {
           return c <= ' ' || c == '"' || c == '=' || c == '\\';
         });
}

std::string Logfmt(LogLevel level, std::string_view message,
                   std::initializer_list<LogField> fields) {
  std::string line = fmt::format("level={} msg={}", NameOf(level), Quote(message));
  for (const LogField& field : fields) {
    line += fmt::format(" {}={}", field.key,
                        NeedsQuotes(field.value) ? Quote(field.value) : field.value);
  }
  return line;
}

std::string Json(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  std::string line = fmt::format(R"("level":"{}","msg":{})", NameOf(level), Quote(message));
  for (const LogField& field : fields) {
    line += fmt::format(R"(,"{}":{})", field.key, Quote(field.value));
  }
  return line;
}

const char* PatternOf(LogFormat format) {
  return format == LogFormat::kJson ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ",%v})"
                                    : "ts=%Y-%m-%dT%H:%M:%S.%eZ %v";
}

std::shared_ptr<spdlog::logger> MakeLogger() {
  auto logger = spdlog::stderr_logger_mt("tidegauge");
  logger->set_pattern(PatternOf(LogFormat::kLogfmt), spdlog::pattern_time_type::utc);
  return logger;
}

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> kLogger = MakeLogger();
  return *kLogger;
}

}  // namespace

std::optional<LogLevel> ParseLogLevel(std::string_view text) {
  for (const LogLevel level :
       {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarn, LogLevel::kError}) {
    if (NameOf(level) == text) return level;
  }
  return std::nullopt;
}

std::optional<LogFormat> ParseLogFormat(std::string_view text) {
  if (text == "logfmt") return LogFormat::kLogfmt;
  if (text == "json") return LogFormat::kJson;
  return std::nullopt;
}

void StartLog(LogLevel level, LogFormat format) {
  format_in_use = format;
  Logger().set_level(ToSpdlog(level));
  Logger().set_pattern(PatternOf(format), spdlog::pattern_time_type::utc);
}

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!Logger().should_log(ToSpdlog(level))) return;
  Logger().log(ToSpdlog(level), format_in_use == LogFormat::kJson ? Json(level, message, fields)
                                                                  : Logfmt(level, message, fields));
}

}  // namespace tidegauge
