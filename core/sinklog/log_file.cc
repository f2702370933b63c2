#include "core/sinklog/log_file.h"

#include <fmt/core.h>
#include <simdjson.h>

#include "core/checkpoint/log_text.h"

namespace tidegauge {
namespace {

/// Whether `line` is an entry. Both kinds of log name a file in each.
bool IsEntry(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string_view path;
  return parser.parse(line.data(), line.size()).get(object) == simdjson::SUCCESS &&
         object["path"].get(path) == simdjson::SUCCESS;
}

LogFileCheck Bad(std::string_view line, bool last) {
  if (last) return {LogFileFault::kTorn, "its last line is cut short: " + Excerpt(line)};
  return {LogFileFault::kForeign, "a line is no entry: " + Excerpt(line)};
}

LogFileCheck CheckVersion(std::string_view line, bool last) {
  if (last && (line.empty() || line == "v")) return {LogFileFault::kTorn, "it is cut short"};
  const auto version = ParseVersionLine(line);
  if (!version) return {LogFileFault::kForeign, version.error().message};
  if (*version <= kLogVersion) return {};
  return {LogFileFault::kTooNew,
          fmt::format("its version is v{}; Spark up to 4.2 knows v{}", *version, kLogVersion)};
}

/// The entries in `text`, of which the last line ends the file.
LogFileCheck CheckEntries(std::string_view text) {
  const auto lines = SplitLines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!IsEntry(lines[i])) return Bad(lines[i], i + 1 == lines.size() && !text.ends_with('\n'));
  }
  return {};
}

std::string_view FirstLine(std::string_view text) {
  const auto lines = SplitLines(text.substr(0, text.find('\n')));
  return lines.empty() ? std::string_view() : lines.front();
}

/// The last line of a file that ends with `tail`.
std::string_view LastLine(std::string_view tail) {
  if (tail.ends_with('\n')) tail.remove_suffix(1);
  return tail.substr(tail.rfind('\n') + 1);
}

}  // namespace

LogFileCheck CheckLogText(std::string_view head, std::string_view tail) {
  if (head.empty()) return {LogFileFault::kEmpty, "it is empty"};
  const std::size_t end = head.find('\n');
  const bool only_line = end == std::string_view::npos;
  LogFileCheck check = CheckVersion(FirstLine(head), only_line && tail.empty());
  if (check.fault != LogFileFault::kNone || only_line) return check;
  head.remove_prefix(end + 1);
  if (tail.empty()) return CheckEntries(head);
  if (!IsEntry(FirstLine(head))) return Bad(FirstLine(head), false);
  const std::string_view last = LastLine(tail);
  return IsEntry(last) ? LogFileCheck{} : Bad(last, !tail.ends_with('\n'));
}

Result<LogFileCheck> CheckLogFile(Storage& storage, const std::string& path, std::uint64_t size) {
  auto head = storage.ReadPart(path, 0, kLogFileWindow);
  if (!head) return std::unexpected(head.error());
  std::string tail;
  if (size > kLogFileWindow) {
    auto read = storage.ReadPart(path, size - kLogFileWindow, kLogFileWindow);
    if (!read) return std::unexpected(read.error());
    tail = std::move(*read);
  }
  return CheckLogText(*head, tail);
}

}  // namespace tidegauge
