#include "daemon/commands/recorded_files.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "core/sinklog/compactible_log.h"
#include "core/sinklog/log_file.h"
#include "core/sinklog/log_listing.h"

namespace tidegauge {
namespace {

namespace fs = std::filesystem;

constexpr int kAttempts = 3;

/// Adds what is to be recorded of the content.
Result<void> ReadContent(Storage& storage, const std::string& path, bool is_looked_into,
                         RecordedFile& file) {
  const std::uint64_t size = file.status.size;
  if (file.status.kind != EntryKind::kFile || (!is_looked_into && size > kRecordedWhole)) return {};
  auto head = storage.ReadPart(path, 0, kLogFileWindow);
  if (!head) return std::unexpected(head.error());
  file.head = std::move(*head);
  if (size <= kLogFileWindow) return {};
  // They overlap where the file is shorter than both.
  auto tail = storage.ReadPart(path, size - kLogFileWindow, kLogFileWindow);
  if (!tail) return std::unexpected(tail.error());
  file.tail = std::move(*tail);
  return {};
}

Result<RecordedFile> ReadOne(Storage& storage, const CompactibleLog& log, std::string name) {
  const std::string path = fmt::format("{}/{}", log.path, name);
  auto status = storage.Stat(path);
  if (!status) return std::unexpected(status.error());
  const bool is_looked_into = std::ranges::any_of(
      log.checked, [&](const CheckedLogFile& checked) { return checked.name == name; });
  RecordedFile file{.name = std::move(name), .status = *status, .head = {}, .tail = {}};
  if (auto read = ReadContent(storage, path, is_looked_into, file); !read) {
    return std::unexpected(read.error());
  }
  return file;
}

std::vector<std::string> NamesOf(const LogListing& files) {
  std::vector<std::string> names;
  names.reserve(files.plain.size() + files.compacts.size());
  for (const BatchId batch : files.plain) names.push_back(fmt::format("{}", batch));
  for (const BatchId batch : files.compacts) names.push_back(fmt::format("{}.compact", batch));
  return names;
}

Result<RecordedLog> ReadOnce(Storage& storage, const std::string& directory, std::int64_t setting,
                             Time now) {
  const auto log = ReadLog(storage, directory, setting, nullptr, now);
  if (!log) return std::unexpected(log.error());
  RecordedLog recorded{
      .exists = (*log)->exists, .parent_exists = (*log)->parent_exists, .files = {}};
  for (std::string& name : NamesOf((*log)->files)) {
    auto file = ReadOne(storage, **log, std::move(name));
    if (!file) return std::unexpected(file.error());
    recorded.files.push_back(std::move(*file));
  }
  return recorded;
}

}  // namespace

Result<RecordedLog> ReadRecordedLog(Storage& storage, const std::string& directory,
                                    std::int64_t setting, Time now) {
  for (int attempt = 1;; ++attempt) {
    auto log = ReadOnce(storage, directory, setting, now);
    if (log || log.error().kind != ErrorKind::kNotFound || attempt == kAttempts) return log;
  }
}

void CutAfter(RecordedLog& log, BatchId newest) {
  std::erase_if(log.files, [&](const RecordedFile& file) {
    return ParseLogNames({file.name}).newest() > newest;
  });
}

Result<RecordedFile> ReadRecordedFile(Storage& storage, const std::string& directory,
                                      const std::string& name, std::size_t max_bytes) {
  const std::string path = fmt::format("{}/{}", directory, name);
  const auto status = storage.Stat(path);
  if (!status) return std::unexpected(status.error());
  auto text = storage.Read(path, max_bytes);
  if (!text) return std::unexpected(text.error());
  RecordedFile file{.name = name, .status = *status, .head = std::move(*text), .tail = {}};
  file.status.size = file.head.size();
  return file;
}

Result<void> WriteRecordedFile(const fs::path& directory, const RecordedFile& file) {
  const fs::path path = directory / file.name;
  std::error_code error;
  errno = 0;
  if (file.status.kind != EntryKind::kFile) {
    fs::create_directory(path, error);
  } else {
    std::ofstream out(path, std::ios::binary);
    out << file.head;
    if (!file.tail.empty()) {
      out.seekp(static_cast<std::streamoff>(file.status.size - file.tail.size()));
      out << file.tail;
    }
    out.close();
    if (!out) error = std::error_code(errno == 0 ? EIO : errno, std::generic_category());
    if (!error && file.status.size != file.head.size()) {
      fs::resize_file(path, file.status.size, error);
    }
  }
  if (error) {
    return Fail(ErrorKind::kUnavailable,
                fmt::format("{}: cannot be written: {}", path.string(), error.message()));
  }
  fs::last_write_time(path, std::chrono::file_clock::from_sys(file.status.modified), error);
  return {};
}

}  // namespace tidegauge
