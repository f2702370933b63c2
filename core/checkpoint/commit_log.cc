#include "core/checkpoint/commit_log.h"

#include <fmt/core.h>
#include <simdjson.h>

#include "core/checkpoint/log_text.h"

namespace tidegauge {
namespace {

constexpr int kNewestCommitLogVersion = 3;

}  // namespace

Result<void> CheckCommitLogEntry(std::string_view text) {
  const auto lines = SplitLines(text);
  if (lines.empty()) return Fail(ErrorKind::kCorrupt, "empty");
  // CommitLog, unlike OffsetSeqLog, trims the version line.
  const auto version = ParseVersionLine(Trim(lines.front()));
  if (!version) return std::unexpected(version.error());
  if (*version > kNewestCommitLogVersion) {
    return Fail(
        ErrorKind::kUnsupported,
        fmt::format("line 1: commit log version v{}; this program knows v1 to v3", *version));
  }
  if (lines.size() == 1) return {};
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const simdjson::padded_string padded(lines[1]);
  if (parser.parse(padded).get(object) != simdjson::SUCCESS) {
    return Fail(ErrorKind::kCorrupt,
                fmt::format("line 2: expected one JSON object, found '{}'", Excerpt(lines[1])));
  }
  return {};
}

}  // namespace tidegauge
