#include "core/output/data_file_scan.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/output/data_file_names.h"
#include "core/output/path_uri.h"
#include "core/sinklog/compaction.h"

namespace tidegauge {
namespace {

/// By how much the clock of the storage and ours may differ.
constexpr Duration kClockMargin = std::chrono::minutes(1);

std::uint64_t HashOf(std::string_view path) { return std::hash<std::string_view>()(path); }

void Add(LackingFiles& files, std::string name) {
  ++files.count;
  if (files.names.size() < kMostNamed) files.names.push_back(std::move(name));
}

/// The files of a whole log that a reader reads; kInvalid where it is not whole.
Result<std::vector<CheckedLogFile>> FilesToRead(const CompactibleLog& log, BatchId newest) {
  std::vector<CheckedLogFile> files;
  const BatchRange read = NeededByReader(newest, log.interval);
  for (BatchId batch = read.first; batch <= read.last; ++batch) {
    const std::string name = LogFileName(batch, log.interval);
    const auto file = std::ranges::find(log.checked, name, &CheckedLogFile::name);
    if (file == log.checked.end() || file->check.fault != LogFileFault::kNone) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("{}/{} is missing or damaged: what the log lists is not known whole",
                              log.path, name));
    }
    files.push_back(*file);
  }
  return files;
}

}  // namespace

std::string DataFileScan::InSink(const std::string& below) const {
  return fmt::format("{}/{}", sink_, below);
}

bool DataFileScan::IsDue(const ScanLimits& limits, Time now) const {
  return last_ == nullptr || last_->missing.count + last_->truncated.count > 0 ||
         now - last_->ended_at >= limits.interval;
}

void DataFileScan::Begin() {
  phase_ = Phase::kEntries;
  found_ = {};
  listed_.clear();
  oldest_listed_.reset();
  newest_listed_ = newest_orphan_ = {};
  has_log_ = false;
  entries_ = looked_at_ = 0;
  walk_.emplace(sink_);
}

Result<void> DataFileScan::TakeLog(Storage& storage, const CompactibleLog& log,
                                   const Checkpoint& checkpoint, Time now) {
  const BatchId newest = log.files.newest().value_or(-1);
  auto files = FilesToRead(log, newest);
  if (!files) return std::unexpected(files.error());
  files_ = std::move(*files);
  log_path_ = log.path;
  file_ = offset_ = 0;
  looked_at_ = std::max(looked_at_, entries_);
  entries_ = 0;
  // A batch that runs has begun after the one before it had its log file.
  orphans_before_ = files_.back().status.modified;
  const bool batch_runs = checkpoint.newest_batch.value_or(-1) > newest;
  if (!batch_runs) orphans_before_ = std::max(orphans_before_, now - kClockMargin);
  if (auto root = FindRoot(storage); !root) return root;
  has_log_ = true;
  return {};
}

/// What the newest entry says: a directory may have been moved, with the entries written before.
Result<void> DataFileScan::FindRoot(Storage& storage) {
  for (const CheckedLogFile& file : std::views::reverse(files_)) {
    const auto last =
        LastEntryPath(storage, fmt::format("{}/{}", log_path_, file.name), file.status.size);
    if (!last) return std::unexpected(last.error());
    if (!*last) continue;
    found_.root = OutputRootOf(PathOf(**last), sink_);
    return {};
  }
  return {};
}

Result<void> DataFileScan::LookAt(Storage& storage, const LogEntry& entry,
                                  const std::string& path) {
  const auto below = Below(found_.root, path);
  if (!below) {
    Add(found_.outside, path);
    return {};
  }
  --files_left_;
  const auto status = storage.Stat(InSink(*below));
  if (!status) {
    if (status.error().kind != ErrorKind::kNotFound) return std::unexpected(status.error());
    Add(found_.missing, *below);
  } else if (static_cast<std::int64_t>(status->size) != entry.size) {
    if (found_.truncated_example.empty()) {
      found_.truncated_example =
          fmt::format("{} has {} bytes, where the log says {}", *below, status->size, entry.size);
    }
    Add(found_.truncated, *below);
  }
  return {};
}

bool DataFileScan::TakeEntry(Storage& storage, const LogEntry& entry) {
  if (files_left_ <= 0 || entries_left_ <= 0) return false;
  // Spark 2.4 and 3.0 can take a path out again; no release writes such an entry.
  const bool adds = !entry.is_directory && entry.action == "add";
  if (adds && entries_ >= looked_at_) {
    if (auto looked = LookAt(storage, entry, PathOf(entry.path)); !looked) {
      error_ = looked.error().message;
      return false;
    }
    ++found_.listed;
    found_.listed_bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(entry.size, 0));
  }
  if (adds) {
    listed_.push_back(HashOf(PathOf(entry.path)));
    oldest_listed_ = std::min(oldest_listed_.value_or(entry.modified), entry.modified);
    newest_listed_ = std::max(newest_listed_, entry.modified);
  }
  ++entries_;
  --entries_left_;
  return true;
}

Result<void> DataFileScan::ReadEntries(Storage& storage) {
  for (; file_ < files_.size(); ++file_, offset_ = 0) {
    bool stopped = false;
    const auto read = ReadLogEntries(storage, fmt::format("{}/{}", log_path_, files_[file_].name),
                                     offset_, [&](const LogEntry& entry) {
                                       stopped = !TakeEntry(storage, entry);
                                       return !stopped;
                                     });
    if (!read) {
      has_log_ = false;  // a compaction may have replaced it
      return std::unexpected(read.error());
    }
    offset_ = *read;
    if (stopped) return {};
  }
  std::ranges::sort(listed_);
  listed_.erase(std::ranges::unique(listed_).begin(), listed_.end());
  phase_ = Phase::kFolders;
  return {};
}

bool DataFileScan::IsListed(const std::string& below) const {
  return std::ranges::binary_search(listed_, HashOf(fmt::format("{}/{}", found_.root, below)));
}

void DataFileScan::TakeUnlisted(OutputFile file) {
  // Older than all that is listed: the sink's retention dropped it from the log.
  if (file.status.modified >= orphans_before_ || !oldest_listed_ ||
      file.status.modified < *oldest_listed_) {
    return;
  }
  Add(found_.orphans, std::move(file.below));
  found_.orphan_bytes += file.status.size;
  newest_orphan_ = std::max(newest_orphan_, file.status.modified);
}

Result<void> DataFileScan::Walk(Storage& storage) {
  for (; !walk_->is_over(); --files_left_) {
    if (files_left_ <= 0) return {};
    auto file = walk_->Step(storage, [&](const std::string& below) { return IsListed(below); });
    if (!file) return std::unexpected(file.error());
    if (*file) TakeUnlisted(std::move(**file));
  }
  phase_ = Phase::kIdle;
  return {};
}

void DataFileScan::LookAgain(Storage& storage, LackingFiles& missing) {
  const auto is_there = [&](const std::string& below) {
    return storage.Stat(InSink(below)).has_value();
  };
  missing.count -= std::erase_if(missing.names, is_there);
}

void DataFileScan::End(Time now) {
  found_.ended_at = now;
  found_.orphans_are_newest = newest_orphan_ > newest_listed_;
  last_ = std::make_shared<const DataFiles>(std::move(found_));
  listed_ = {};
}

void DataFileScan::Step(Storage& storage, const CompactibleLog& log, const Checkpoint& checkpoint,
                        const ScanLimits& limits, Time now) {
  error_.clear();
  files_left_ = limits.files;
  entries_left_ = limits.files * kEntriesPerFile;
  if (phase_ == Phase::kIdle) {
    if (!IsDue(limits, now) || log.files.empty()) return;
    Begin();
  }
  Result<void> done;
  if (!has_log_) done = TakeLog(storage, log, checkpoint, now);
  if (done && phase_ == Phase::kEntries) done = ReadEntries(storage);
  if (done && phase_ == Phase::kFolders) done = Walk(storage);
  // A compaction may have taken a file of the log away: the next step takes the log as it is then.
  const bool log_moved_on = !done && !has_log_ && done.error().kind == ErrorKind::kNotFound;
  if (!done && !log_moved_on) error_ = done.error().message;
  if (phase_ != Phase::kIdle) return;
  LookAgain(storage, found_.missing);
  End(now);
}

DataFileScanView DataFileScan::View() const {
  DataFileScanView view{.last = last_, .progress = 1, .error = error_};
  if (phase_ == Phase::kIdle) return view;
  std::uint64_t all = 0;
  std::uint64_t read = offset_;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    all += files_[i].status.size;
    if (i < file_) read += files_[i].status.size;
  }
  // The walk is short beside the entries, unless most files are not listed.
  constexpr double kShareOfEntries = 0.9;
  view.progress =
      all == 0 ? 0 : kShareOfEntries * static_cast<double>(read) / static_cast<double>(all);
  return view;
}

}  // namespace tidegauge
