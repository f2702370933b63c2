#include "core/recovery/log_input.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/sinklog/compaction.h"
#include "core/sinklog/log_listing.h"

namespace tidegauge {
namespace {

/// Up to `ended`, the newest batch that must be in it.
bool IsWhole(const LogListing& files, std::int64_t configured, BatchId ended) {
  const auto newest = files.newest();
  if (!newest || *newest < ended) return false;
  const std::int64_t interval = DeriveInterval(configured, files.compacts);
  const BatchRange needed = NeededByReader(*newest, interval);
  for (BatchId batch = needed.first; batch <= needed.last; ++batch) {
    if (!files.Has(batch, interval)) return false;
  }
  return true;
}

std::vector<std::string> FilesBeyond(const CompactibleLog& log, BatchId planned) {
  LogListing kept = log.files;
  std::vector<std::string> beyond;
  for (const BatchId batch : log.files.plain) {
    if (batch > planned) beyond.push_back(fmt::format("{}", batch));
  }
  for (const BatchId batch : log.files.compacts) {
    if (batch > planned) beyond.push_back(fmt::format("{}.compact", batch));
  }
  const auto is_beyond = [&](BatchId batch) { return batch > planned; };
  std::erase_if(kept.plain, is_beyond);
  std::erase_if(kept.compacts, is_beyond);
  if (!IsWhole(kept, log.configured, planned - 1)) beyond.clear();
  return beyond;
}

/// Before its first compaction a log is whole when each batch from 0 to the checkpoint's has a
/// file, and the interval is one by which that compaction is still to come: Spark's own default, if
/// it is one.
std::optional<std::int64_t> FittingInterval(Storage& storage, const LogView& log) {
  const std::vector<BatchId>& plain = log.log->files.plain;
  if (plain.empty() || !log.log->files.compacts.empty()) return std::nullopt;
  const BatchId newest = plain.back();
  const bool has_all = plain.front() == 0 && static_cast<BatchId>(plain.size()) == newest + 1 &&
                       newest + 1 >= log.next_batch;
  if (!has_all || plain.size() > kMaxCheckedFiles) return std::nullopt;
  const std::int64_t interval = std::max(kDefaultCompactInterval, newest + 2);
  const auto read = ReadLog(storage, log.log->path, interval, nullptr, Time());
  const bool is_sound = read && std::ranges::all_of((*read)->checked, [](const auto& file) {
                          return file.check.fault == LogFileFault::kNone;
                        });
  return is_sound ? std::optional(interval) : std::nullopt;
}

}  // namespace

LogInput ReadLogInput(Storage& storage, const Site& site, const LogView& log,
                      std::optional<BatchId> planned, std::optional<Time> unfinished_since) {
  LogInput input{.name = log.name};
  if (log.log == nullptr) {
    input.problem = log.error;
    return input;
  }
  input.directory = log.log->path;
  input.exists = log.log->exists;
  input.newest = log.newest;
  input.has_compacts = !log.log->files.compacts.empty();
  if (log.ahead) input.beyond = FilesBeyond(*log.log, planned.value_or(-1));
  auto lost = LostLogFiles(log);
  if (lost) {
    input.lost = std::move(*lost);
  } else {
    input.problem = lost.error().message;
  }
  if (input.lost.empty() || !log.is_sink()) return input;
  input.fitting_interval = FittingInterval(storage, log);
  // A batch that the log has is not run again, finished or not: its rows must be listed.
  if (planned && log.newest >= planned) unfinished_since.reset();
  auto rebuilt = RebuildLog(storage, site, log, unfinished_since);
  if (rebuilt) {
    input.rebuilt = std::move(*rebuilt);
  } else {
    input.problem = rebuilt.error().message;
  }
  return input;
}

}  // namespace tidegauge
