#include "core/sinklog/query_logs.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/checkpoint/layout.h"
#include "core/sinklog/compaction.h"

namespace tidegauge {
namespace {

LogPtr KnownLog(const std::optional<Result<LogPtr>>& log) {
  return log && log->has_value() ? **log : nullptr;
}

LogPtr KnownSource(const QueryLogs& logs, const std::string& source) {
  const auto known = std::ranges::find(logs.sources, source, &SourceLog::source);
  return known == logs.sources.end() ? nullptr : KnownLog(known->log);
}

void ReadSources(Storage& storage, const Checkpoint& checkpoint, std::int64_t setting,
                 const QueryLogs& previous, Time now, QueryLogs& logs) {
  const std::string root = fmt::format("{}/{}", checkpoint.path, kSourcesDirectory);
  auto names = storage.List(root);
  if (!names) {
    if (names.error().kind != ErrorKind::kNotFound) logs.sources_error = names.error().message;
    return;
  }
  std::erase_if(*names, [](const std::string& name) { return name.starts_with('.'); });
  std::ranges::sort(*names);
  for (std::string& name : *names) {
    auto log = ReadLog(storage, fmt::format("{}/{}", root, name), setting,
                       KnownSource(previous, name), now);
    logs.sources.push_back({.source = std::move(name), .log = std::move(log)});
  }
}

/// The newest batch planned by now; where that is not answered, one that nothing is ahead of.
BatchId PlannedBy(Storage& storage, const Checkpoint& checkpoint) {
  const auto names = storage.List(fmt::format("{}/{}", checkpoint.path, kOffsetsDirectory));
  if (!names) return names.error().kind == ErrorKind::kNotFound ? -1 : kMaxLogBatch;
  BatchId newest = -1;
  for (const std::string& name : *names) {
    newest = std::max(newest, ParseBatchFileName(name).value_or(-1));
  }
  return newest;
}

bool SeemsAhead(const Result<LogPtr>& log, const Checkpoint& checkpoint) {
  return log && (*log)->files.newest().value_or(-1) > checkpoint.newest_batch.value_or(-1);
}

}  // namespace

bool IsFileSourceLog(const CompactibleLog& log) {
  // A version line alone is no proof: other sources write one too.
  constexpr std::uint64_t kVersionLine = 3;
  return !log.files.compacts.empty() ||
         std::ranges::any_of(log.checked, [](const CheckedLogFile& file) {
           return file.check.fault == LogFileFault::kNone && file.status.size > kVersionLine;
         });
}

QueryLogs ReadLogs(Storage& storage, const Checkpoint& checkpoint, const std::string& sink,
                   const CompactIntervals& settings, const QueryLogs& previous, Time now) {
  QueryLogs logs;
  if (!sink.empty()) {
    logs.sink = ReadLog(storage, fmt::format("{}/{}", sink, kSinkLogDirectory), settings.sink,
                        KnownLog(previous.sink), now);
    if (SeemsAhead(*logs.sink, checkpoint)) logs.planned_after = PlannedBy(storage, checkpoint);
  }
  if (checkpoint.unmonitored_sources > 0) {
    ReadSources(storage, checkpoint, settings.source, previous, now, logs);
  }
  return logs;
}

}  // namespace tidegauge
