#include "core/sinklog/entry_reader.h"

#include <algorithm>

#include <fmt/core.h>
#include <simdjson.h>

#include "core/checkpoint/log_text.h"
#include "core/sinklog/log_file.h"

namespace tidegauge {
namespace {

namespace ondemand = simdjson::ondemand;

bool ReadField(const ondemand::raw_json_string& key, ondemand::value& value, LogEntry& entry) {
  std::int64_t number = 0;
  if (key == "path") return value.get_string().get(entry.path) == simdjson::SUCCESS;
  if (key == "size") return value.get_int64().get(entry.size) == simdjson::SUCCESS;
  if (key == "action") return value.get_string().get(entry.action) == simdjson::SUCCESS;
  if (key == "isDir") return value.get_bool().get(entry.is_directory) == simdjson::SUCCESS;
  if (key == "batchId") return value.get_int64().get(entry.batch) == simdjson::SUCCESS;
  if (key == "modificationTime" || key == "timestamp") {
    if (value.get_int64().get(number) != simdjson::SUCCESS) return false;
    entry.modified = Time(Duration(number));
  }
  return true;
}

/// The fields in the order in which Spark writes them, which is the quickest to look for.
bool ReadEntry(auto& document, LogEntry& entry) {
  ondemand::object object;
  if (document.get_object().get(object) != simdjson::SUCCESS) return false;
  for (auto field : object) {
    ondemand::raw_json_string key;
    ondemand::value value;
    if (field.key().get(key) != simdjson::SUCCESS ||
        field.value().get(value) != simdjson::SUCCESS || !ReadField(key, value, entry)) {
      return false;
    }
  }
  return !entry.path.empty();
}

/// Takes in what a block holds, and what the next one has to begin with.
class EntryStream {
 public:
  EntryStream(Storage& storage, const std::string& path, std::uint64_t offset,
              const EntryVisitor& visit)
      : storage_(storage),
        path_(path),
        visit_(visit),
        read_to_(offset),
        taken_to_(offset),
        has_version_(offset > 0) {}

  Result<std::uint64_t> Run() {
    while (!stopped_) {
      auto more = Fill();
      if (!more) return std::unexpected(more.error());
      if (auto taken = Take(*more); !taken) return std::unexpected(taken.error());
      if (!*more) break;
    }
    return taken_to_;
  }

 private:
  /// Adds the next block to what is left of the last; false at the end of the file.
  Result<bool> Fill() {
    auto block = storage_.ReadPart(path_, read_to_, kEntryBlock);
    if (!block) return std::unexpected(block.error());
    read_to_ += block->size();
    const bool more = block->size() == kEntryBlock;
    if (buffer_.capacity() == 0) buffer_.reserve(2 * kEntryBlock + simdjson::SIMDJSON_PADDING);
    buffer_ += *block;
    return more;
  }

  /// Shows the whole lines of the buffer: all of it when the file has no more.
  Result<void> Take(bool more) {
    const std::size_t end = more ? buffer_.rfind('\n') + 1 : buffer_.size();
    if (more && end == 0) return Corrupt("a line is too long");
    std::size_t begin = 0;
    if (!has_version_) {
      if (buffer_.empty()) return Corrupt("it is empty");
      begin = std::min(buffer_.find('\n'), end - 1) + 1;
      if (auto version = CheckVersion(begin); !version) return version;
      has_version_ = true;
    }
    auto shown = Show(begin, end);
    if (!stopped_) taken_to_ += end;
    buffer_.erase(0, end);
    return shown;
  }

  /// `end` is where the entries begin.
  Result<void> CheckVersion(std::size_t end) const {
    const auto version = ParseVersionLine(SplitLines(std::string_view(buffer_).substr(0, end))[0]);
    if (!version) return Corrupt(version.error().message);
    if (*version <= kLogVersion) return {};
    return Fail(ErrorKind::kUnsupported, fmt::format("{}: version v{}", path_, *version));
  }

  Result<void> Show(std::size_t begin, std::size_t end) {
    if (begin == end) return {};
    // What follows the part that is parsed counts as its padding.
    buffer_.reserve(buffer_.size() + simdjson::SIMDJSON_PADDING);
    ondemand::document_stream documents;
    if (parser_.iterate_many(buffer_.data() + begin, end - begin, kMostOfABlock).get(documents) !=
        simdjson::SUCCESS) {
      return CutShort();
    }
    for (auto at = documents.begin(); at != documents.end(); ++at) {
      auto document = *at;
      LogEntry entry;
      if (!ReadEntry(document, entry)) return CutShort();
      ++count_;
      if (!visit_(entry)) {
        stopped_ = true;
        taken_to_ += begin + at.current_index();
        return {};
      }
    }
    return documents.truncated_bytes() == 0 ? Result<void>() : CutShort();
  }

  std::unexpected<Error> Corrupt(std::string_view why) const {
    return Fail(ErrorKind::kCorrupt, fmt::format("{}: {}", path_, why));
  }
  std::unexpected<Error> CutShort() const {
    return Corrupt(fmt::format("a line after {} entries is no entry", count_));
  }

  static constexpr std::size_t kMostOfABlock = 2 * kEntryBlock;

  Storage& storage_;
  const std::string& path_;
  const EntryVisitor& visit_;
  ondemand::parser parser_;
  std::string buffer_;
  std::uint64_t read_to_;
  std::uint64_t taken_to_;
  std::uint64_t count_ = 0;
  bool has_version_;
  bool stopped_ = false;
};

}  // namespace

Result<std::uint64_t> ReadLogEntries(Storage& storage, const std::string& path,
                                     std::uint64_t offset, const EntryVisitor& visit) {
  return EntryStream(storage, path, offset, visit).Run();
}

Result<std::optional<std::string>> LastEntryPath(Storage& storage, const std::string& path,
                                                 std::uint64_t size) {
  const std::uint64_t from = size - std::min<std::uint64_t>(size, kLogFileWindow);
  auto tail = storage.ReadPart(path, from, kLogFileWindow);
  if (!tail) return std::unexpected(tail.error());
  ondemand::parser parser;
  const simdjson::padded_string line(std::string_view(*tail).substr(tail->rfind('\n') + 1));
  ondemand::document document;
  LogEntry entry;
  if (parser.iterate(line).get(document) != simdjson::SUCCESS || !ReadEntry(document, entry)) {
    return std::nullopt;
  }
  return std::string(entry.path);
}

}  // namespace tidegauge
