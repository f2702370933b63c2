#include "core/sinklog/log_view.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "core/checkpoint/batch_rhythm.h"
#include "core/sinklog/compaction.h"

namespace tidegauge {
namespace {

bool IsUnreadable(const CompactibleLog& log, const std::string& name) {
  const auto file = std::ranges::find(log.checked, name, &CheckedLogFile::name);
  return file != log.checked.end() && file->check.fault != LogFileFault::kNone;
}

bool HasUnreadable(const CompactibleLog& log) {
  return std::ranges::any_of(log.checked, [](const CheckedLogFile& file) {
    return file.check.fault != LogFileFault::kNone;
  });
}

/// How many of `ids` lie in `range` and have the name that `interval` gives them.
std::size_t CountIn(const std::vector<BatchId>& ids, bool compacts, const BatchRange& range,
                    std::int64_t interval) {
  const auto first = std::ranges::lower_bound(ids, range.first);
  const auto last = std::ranges::upper_bound(ids, range.last);
  return static_cast<std::size_t>(std::count_if(
      first, last, [&](BatchId batch) { return Compacts(batch, interval) == compacts; }));
}

std::size_t CountAbsent(const LogListing& files, const BatchRange& range, std::int64_t interval) {
  if (range.empty()) return 0;
  return static_cast<std::size_t>(range.last - range.first + 1) -
         CountIn(files.plain, false, range, interval) -
         CountIn(files.compacts, true, range, interval);
}

/// Ends after as many steps as there are files, and kMostNamed more.
LackingFiles FindLacking(const CompactibleLog& log, const BatchRange& range, std::int64_t interval,
                         bool also_unreadable) {
  LackingFiles lacking{.names = {}, .count = CountAbsent(log.files, range, interval)};
  std::size_t unseen = lacking.count;
  also_unreadable = also_unreadable && HasUnreadable(log);
  for (BatchId batch = range.first; batch <= range.last; ++batch) {
    if (lacking.names.size() == kMostNamed || (unseen == 0 && !also_unreadable)) break;
    std::string name = LogFileName(batch, interval);
    if (!log.files.Has(batch, interval)) {
      --unseen;
    } else if (also_unreadable && IsUnreadable(log, name)) {
      ++lacking.count;
    } else {
      continue;
    }
    lacking.names.push_back(std::move(name));
  }
  return lacking;
}

/// Whether a driver with `interval` could have written `files`.
bool CouldHaveWritten(const LogListing& files, std::int64_t interval) {
  return std::ranges::all_of(files.compacts,
                             [&](BatchId batch) { return Compacts(batch, interval); }) &&
         std::ranges::none_of(files.plain, [&](BatchId batch) {
           return Compacts(batch, interval) && !std::ranges::binary_search(files.compacts, batch);
         });
}

NextCompactionView ViewCompaction(const LogView& view, std::int64_t interval) {
  // A batch that has a file already is not written again.
  const BatchId written = std::max(view.next_batch, view.newest.value_or(-1) + 1);
  NextCompactionView next{.interval = interval, .batch = NextCompaction(written, interval)};
  BatchRange needed = NeededByCompaction(next.batch, interval);
  needed.last = std::min(needed.last, written - 1);
  next.lacking = FindLacking(*view.log, needed, interval, true);
  next.absent = CountAbsent(view.log->files, needed, interval);
  next.batches_left = next.batch - view.next_batch + 1;
  return next;
}

void ViewCompactions(LogView& view) {
  view.restarted = ViewCompaction(view, view.log->interval);
  if (const auto other = OtherIntervalOf(view.log->files, view.log->configured)) {
    view.running = ViewCompaction(view, *other);
  }
}

LogView ViewSink(const QueryLogs& logs, const Checkpoint& checkpoint, Time now) {
  const Result<LogPtr>& log = *logs.sink;
  LogView view{.name = "sink", .log = log ? *log : nullptr, .error = {}};
  if (!log) {
    view.error = log.error().message;
    return view;
  }
  view.newest = view.log->files.newest();
  view.next_batch = NextBatch(checkpoint);
  view.committed = checkpoint.committed_batch;
  const BatchId planned = checkpoint.newest_batch.value_or(-1);
  view.ahead = view.newest.value_or(-1) > std::max(planned, logs.planned_after.value_or(-1));
  ViewCompactions(view);
  view.restarted.expected_at = ExpectedAt(checkpoint, view.restarted.batch, now);
  if (view.running) view.running->expected_at = ExpectedAt(checkpoint, view.running->batch, now);
  if (view.newest) {
    const BatchId end = std::max(*view.newest, view.committed.value_or(-1));
    view.gap =
        FindLacking(*view.log, NeededByReader(end, view.log->interval), view.log->interval, false);
  }
  return view;
}

/// Whether only a configured interval that nobody has told explains the names: none, or one compact
/// file leaves it to the configuration, and they do not fit Spark's default. What such a log lacks
/// is no proof of a loss.
bool HasUntoldInterval(const CompactibleLog& log) {
  const LogListing& files = log.files;
  if (log.setting > 0 || files.compacts.size() > 1 || CouldHaveWritten(files, log.interval)) {
    return false;
  }
  return files.compacts.empty() || CouldHaveWritten(files, files.compacts.front() + 1);
}

/// A file source numbers the files of its log itself, without holes
/// (FileStreamSource.fetchMaxOffset), and goes on from its own newest.
LogView ViewSource(const SourceLog& source) {
  LogView view{.name = fmt::format("source {}", source.source),
               .log = source.log ? *source.log : nullptr,
               .error = {}};
  if (!source.log) {
    view.error = source.log.error().message;
    return view;
  }
  view.newest = view.log->files.newest();
  view.next_batch = view.newest.value_or(-1) + 1;
  ViewCompactions(view);
  if (HasUntoldInterval(*view.log)) {
    view.restarted.lacking = {};
    view.restarted.absent = 0;
    return view;
  }
  view.gap = FindLacking(*view.log, NeededByReader(*view.newest, view.log->interval),
                         view.log->interval, false);
  return view;
}

}  // namespace

const NextCompactionView* LogView::failing() const {
  const NextCompactionView* first = nullptr;
  const auto consider = [&](const NextCompactionView& next) {
    if (!next.lacking.empty() && (first == nullptr || next.batch < first->batch)) first = &next;
  };
  consider(restarted);
  if (running) consider(*running);
  return first;
}

std::size_t LogView::Missing() const {
  std::size_t most = std::max(gap.count, restarted.absent);
  if (running) most = std::max(most, running->absent);
  return most;
}

BatchId NextBatch(const Checkpoint& checkpoint) {
  if (!checkpoint.newest_batch) return 0;
  const bool ended = checkpoint.committed_batch >= checkpoint.newest_batch;
  return ended ? *checkpoint.newest_batch + 1 : *checkpoint.newest_batch;
}

std::optional<std::int64_t> OtherIntervalOf(const LogListing& files, std::int64_t configured) {
  if (files.compacts.empty()) return std::nullopt;
  const std::int64_t restarted = DeriveInterval(configured, files.compacts);
  std::int64_t common = 0;
  for (const BatchId batch : files.compacts) common = std::gcd(common, batch + 1);
  for (const std::int64_t candidate : {common, configured}) {
    const bool is_guess = candidate == common && files.compacts.size() < 2;
    if (!is_guess && candidate != restarted && CouldHaveWritten(files, candidate)) return candidate;
  }
  return std::nullopt;
}

std::vector<LogView> ViewLogs(const QueryLogs& logs, const Checkpoint& checkpoint, Time now) {
  std::vector<LogView> views;
  if (logs.sink) views.push_back(ViewSink(logs, checkpoint, now));
  if (!logs.sources_error.empty()) {
    views.push_back(
        {.name = std::string(kUnlistedSources), .log = nullptr, .error = logs.sources_error});
  }
  for (const SourceLog& source : logs.sources) {
    if (!source.log || IsFileSourceLog(**source.log)) views.push_back(ViewSource(source));
  }
  return views;
}

}  // namespace tidegauge
