#include "core/detectors/log_texts.h"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

namespace tidegauge {
namespace {

constexpr std::size_t kMostListed = 6;
constexpr std::size_t kShownOfMany = 3;

std::string Join(const std::vector<std::string>& names, std::size_t count) {
  std::string joined;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) joined += i + 1 == names.size() ? " and " : ", ";
    joined += names[i];
  }
  return joined;
}

}  // namespace

std::string NameFiles(const LackingFiles& files) {
  if (files.count <= kMostListed && files.names.size() == files.count) {
    return Join(files.names, files.names.size());
  }
  const std::size_t shown = std::min(kShownOfMany, files.names.size());
  return fmt::format("{} files ({}, …)", files.count, Join(files.names, shown));
}

std::string NameLog(const LogView& log) {
  return log.is_sink() ? "the sink's log" : fmt::format("the log of {}", log.name);
}

std::string NameCompaction(const LogView& log, const NextCompactionView& next) {
  const char* what = log.is_sink() ? "Batch" : "Entry";
  if (next.batches_left <= 1) return fmt::format("{} {}, the next one,", what, next.batch);
  return fmt::format("{} {}, in {} {},", what, next.batch, next.batches_left,
                     log.is_sink() ? "batches" : "entries");
}

const LogFileCheck* FaultOf(const LogView& log, const std::string& name) {
  const auto file = std::ranges::find(log.log->checked, name, &CheckedLogFile::name);
  if (file == log.log->checked.end() || file->check.fault == LogFileFault::kNone) return nullptr;
  return &file->check;
}

std::string OtherIntervalHint(const LogView& log, const LackingFiles& lacking) {
  // Two compact files settle the interval, whatever is configured.
  if (log.log->setting > 0 || log.log->files.compacts.size() > 1) return {};
  for (std::string_view name : lacking.names) {
    if (!name.ends_with(".compact")) continue;
    name.remove_suffix(std::string_view(".compact").size());
    const bool is_there = std::ranges::any_of(
        log.log->files.plain, [&](BatchId batch) { return fmt::format("{}", batch) == name; });
    if (is_there) {
      return fmt::format(
          " A file {} is there: if the query sets another compactInterval than {}, say so in {}.",
          name, log.log->configured,
          log.is_sink() ? "compact_interval" : "source_compact_interval");
    }
  }
  return {};
}

std::string CompactionMessage(const LogView& log, const NextCompactionView& next) {
  const std::string& name = next.lacking.names.front();
  const std::string path = log.log->path + "/" + name;
  if (const LogFileCheck* fault = FaultOf(log, name)) {
    if (fault->fault == LogFileFault::kEmpty) {
      return fmt::format("\"Failed to read log file {}. Incomplete log file\"", path);
    }
    return fmt::format("an error about the content of {}", path);
  }
  return fmt::format(
      "\"Unable to find batch {0}\" (from 3.5 on after [BATCH_METADATA_NOT_FOUND]; up to 3.0 \"{0} "
      "doesn't exist when compacting batch {1} (compactInterval: {2})\")",
      path, next.batch, next.interval);
}

std::string ReaderMessage(const LogView& log) {
  return fmt::format("\"{}/{} doesn't exist (latestId: {}, compactInterval: {})\"", log.log->path,
                     log.gap.names.front(), *log.newest, log.log->interval);
}

}  // namespace tidegauge
