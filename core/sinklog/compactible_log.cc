#include "core/sinklog/compactible_log.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "core/sinklog/compaction.h"

namespace tidegauge {
namespace {

/// How often a listing is taken anew because Spark compacted or cleaned up meanwhile.
constexpr int kAttempts = 3;
/// What changed so recently may change again without its modification time moving.
constexpr Duration kSettled = std::chrono::seconds(2);

bool IsSettled(const FileStatus& status, Time seen_at) {
  return seen_at - status.modified > kSettled;
}

/// Status of what may not be there.
Result<std::optional<FileStatus>> StatusOf(Storage& storage, const std::string& path) {
  auto status = storage.Stat(path);
  if (status) return *status;
  if (status.error().kind == ErrorKind::kNotFound) return std::nullopt;
  return std::unexpected(status.error());
}

bool IsUnchanged(Storage& storage, const CompactibleLog& log) {
  if (!log.fingerprint.complete) return false;
  const auto directory = StatusOf(storage, log.path);
  if (!directory || *directory != log.fingerprint.directory) return false;
  return std::ranges::all_of(log.checked, [&](const CheckedLogFile& file) {
    const auto status = StatusOf(storage, log.path + "/" + file.name);
    return IsSettled(file.status, file.checked_at) && status && *status == file.status;
  });
}

/// The oldest batch whose file matters: to a reader, or to the next compaction.
BatchId OldestNeeded(const LogListing& files, std::int64_t interval) {
  const BatchId newest = *files.newest();
  const BatchId compaction = NextCompaction(newest + 1, interval);
  BatchId oldest = std::min(NeededByReader(newest, interval).first,
                            NeededByCompaction(compaction, interval).first);
  if (!files.compacts.empty()) oldest = std::min(oldest, files.compacts.back());
  return oldest;
}

/// Whether a file that a reader needs is not listed.
bool HasHole(const LogListing& files, std::int64_t interval) {
  if (files.empty()) return false;
  const BatchRange range = NeededByReader(*files.newest(), interval);
  // A range this long has more ids than there are files.
  const auto listed = files.plain.size() + files.compacts.size();
  if (static_cast<std::uint64_t>(range.last - range.first) >= listed) return true;
  for (BatchId batch = range.first; batch <= range.last; ++batch) {
    if (!files.Has(batch, interval)) return true;
  }
  return false;
}

/// Names of the files from `oldest` on, by id.
std::vector<std::string> NamesFrom(const LogListing& files, BatchId oldest) {
  std::vector<std::pair<BatchId, std::string>> found;
  for (const BatchId batch : files.plain) {
    if (batch >= oldest) found.emplace_back(batch, fmt::format("{}", batch));
  }
  for (const BatchId batch : files.compacts) {
    if (batch >= oldest) found.emplace_back(batch, fmt::format("{}.compact", batch));
  }
  std::ranges::sort(found);
  if (found.size() > kMaxCheckedFiles) {
    found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(kMaxCheckedFiles));
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [batch, name] : found) names.push_back(std::move(name));
  return names;
}

/// Reads a log once. kNotFound: a file vanished meanwhile.
class LogReader {
 public:
  LogReader(Storage& storage, const std::string& directory, std::int64_t setting,
            const CompactibleLog* previous, Time now)
      : storage_(storage), previous_(previous), now_(now) {
    found_->path = directory;
    found_->setting = setting;
    found_->configured = setting > 0 ? setting : kDefaultCompactInterval;
  }

  Result<LogPtr> Read() {
    auto status = StatusOf(storage_, found_->path);
    if (!status) return std::unexpected(status.error());
    found_->exists = status->has_value();
    if (auto listed = List(); !listed) return std::unexpected(listed.error());
    found_->interval = DeriveInterval(found_->configured, found_->files.compacts);
    if (auto checked = CheckFiles(); !checked) return std::unexpected(checked.error());
    if (auto sized = SizeCompacts(); !sized) return std::unexpected(sized.error());
    const bool settled = !*status || IsSettled(**status, now_);
    found_->fingerprint = {.directory = *status, .taken_at = now_, .complete = settled};
    return LogPtr(found_);
  }

 private:
  Result<void> List();
  Result<LogListing> ListOnce();
  Result<void> CheckFiles();
  Result<void> CheckFile(const std::string& name);
  Result<void> SizeCompacts();

  Storage& storage_;
  const CompactibleLog* previous_;
  Time now_;
  std::shared_ptr<CompactibleLog> found_ = std::make_shared<CompactibleLog>();
};

Result<LogListing> LogReader::ListOnce() {
  auto names = storage_.List(found_->path);
  if (names) return ParseLogNames(*names);
  if (names.error().kind == ErrorKind::kNotFound) return LogListing{};
  return std::unexpected(names.error());
}

/// Until two listings agree, where one has a hole.
Result<void> LogReader::List() {
  if (!found_->exists) {
    const std::size_t slash = found_->path.rfind('/');
    auto parent = StatusOf(storage_, found_->path.substr(0, slash));
    if (!parent) return std::unexpected(parent.error());
    found_->parent_exists = parent->has_value();
    return {};
  }
  std::optional<LogListing> before;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto listing = ListOnce();
    if (!listing) return std::unexpected(listing.error());
    const bool whole = !HasHole(*listing, DeriveInterval(found_->configured, listing->compacts));
    const bool confirmed = before == *listing;
    before = found_->files = std::move(*listing);
    if (whole || confirmed) break;
  }
  return {};
}

Result<void> LogReader::CheckFiles() {
  if (found_->files.empty()) return {};
  for (const std::string& name :
       NamesFrom(found_->files, OldestNeeded(found_->files, found_->interval))) {
    if (auto checked = CheckFile(name); !checked) return checked;
  }
  return {};
}

Result<void> LogReader::CheckFile(const std::string& name) {
  const std::string path = found_->path + "/" + name;
  auto status = storage_.Stat(path);
  if (!status) return std::unexpected(status.error());
  if (previous_ != nullptr) {
    const auto known = std::ranges::find(previous_->checked, name, &CheckedLogFile::name);
    if (known != previous_->checked.end() && known->status == *status &&
        IsSettled(known->status, known->checked_at)) {
      found_->checked.push_back(*known);
      return {};
    }
  }
  CheckedLogFile file{.name = name, .status = *status, .check = {}, .checked_at = now_};
  if (status->kind == EntryKind::kFile) {
    auto check = CheckLogFile(storage_, path, status->size);
    if (!check) return std::unexpected(check.error());
    file.check = std::move(*check);
  } else {
    file.check = {LogFileFault::kForeign, "it is no regular file"};
  }
  found_->checked.push_back(std::move(file));
  return {};
}

Result<void> LogReader::SizeCompacts() {
  const auto& ids = found_->files.compacts;
  for (std::size_t i = ids.size(); i > 0 && found_->compacts.size() < 2; --i) {
    auto status = StatusOf(storage_, fmt::format("{}/{}.compact", found_->path, ids[i - 1]));
    if (!status) return std::unexpected(status.error());
    if (!*status) continue;
    found_->compacts.push_back(
        {.batch = ids[i - 1], .bytes = (*status)->size, .written_at = (*status)->modified});
  }
  return {};
}

}  // namespace

Result<LogPtr> ReadLog(Storage& storage, const std::string& directory, std::int64_t setting,
                       const LogPtr& previous, Time now) {
  const bool comparable =
      previous != nullptr && previous->path == directory && previous->setting == setting;
  if (comparable && IsUnchanged(storage, *previous)) return previous;
  for (int attempt = 1;; ++attempt) {
    auto read =
        LogReader(storage, directory, setting, comparable ? previous.get() : nullptr, now).Read();
    if (read || read.error().kind != ErrorKind::kNotFound) return read;
    if (attempt < kAttempts) continue;
    return Fail(ErrorKind::kUnavailable,
                fmt::format("{}: it is listed, but is not there", read.error().message));
  }
}

}  // namespace tidegauge
