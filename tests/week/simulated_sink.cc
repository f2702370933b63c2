#include "tests/week/simulated_sink.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/core.h>

namespace tidegauge::testing {
namespace {

constexpr std::string_view kCompact = ".compact";
constexpr std::int64_t kDefaultInterval = 10;  // spark.sql.streaming.fileSink.log.compactInterval
constexpr std::int64_t kBatchesToRetain = 100;
constexpr Duration kCleanupDelay = std::chrono::minutes(10);

std::optional<BatchId> BatchOf(std::string_view name) {
  if (name.ends_with(kCompact)) name.remove_suffix(kCompact.size());
  BatchId batch = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), batch);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return batch;
}

std::vector<std::string> NamesIn(MemoryStorage& storage, const std::string& directory) {
  return storage.List(directory).value_or(std::vector<std::string>{});
}

std::string Uuid(Dice& dice) {
  return fmt::format("{:08x}-0000-4000-8000-{:012x}", dice.Below(1LL << 32), dice.Below(1LL << 48));
}

/// CompactibleFileStreamLog.deriveCompactInterval: `entries` is the compact file's id and 1.
std::int64_t FromOneCompaction(std::int64_t entries) {
  if (kDefaultInterval >= entries / 2) return entries;
  for (std::int64_t divisor = kDefaultInterval; divisor <= entries / 2; ++divisor) {
    if (entries % divisor == 0) return divisor;
  }
  return entries;
}

}  // namespace

void SimulatedSink::Start(MemoryStorage& storage, Time now) {
  interval_ = 0;
  storage.SetClock(now);
  if (!storage.Has(LogPath())) storage.MakeDirectory(LogPath());
}

std::vector<BatchId> SimulatedSink::Compactions(MemoryStorage& storage) const {
  std::vector<BatchId> compacts;
  for (const std::string& name : NamesIn(storage, LogPath())) {
    if (name.ends_with(kCompact)) compacts.push_back(BatchOf(name).value_or(-1));
  }
  std::ranges::sort(compacts, std::greater<>());
  return compacts;
}

/// CompactibleFileStreamLog.compactInterval
void SimulatedSink::DeriveInterval(MemoryStorage& storage) {
  const std::vector<BatchId> compacts = Compactions(storage);
  interval_ = kDefaultInterval;
  if (compacts.size() >= 2) interval_ = compacts[0] - compacts[1];
  if (compacts.size() == 1) interval_ = FromOneCompaction(compacts[0] + 1);
}

std::string SimulatedSink::NameOf(BatchId batch) const {
  return fmt::format("{}/{}{}", LogPath(), batch, Compacts(batch) ? kCompact : "");
}

bool SimulatedSink::WriteFiles(MemoryStorage& storage, BatchId batch, Dice& dice, Time now) {
  pending_.clear();
  pending_files_.clear();
  for (const std::string& name : NamesIn(storage, LogPath())) {
    if (BatchOf(name).value_or(-1) >= batch) return false;
  }
  const std::int64_t files = 1 + dice.Below(2);
  for (std::int64_t file = 0; file < files; ++file) {
    const std::string path =
        fmt::format("{}/part-{:05}-{}-c000.snappy.parquet", plan_.directory, file, Uuid(dice));
    const std::string content = fmt::format("PAR1 {} PAR1", batch);
    pending_ += fmt::format(
        "\n{{\"path\":\"file://{}\",\"size\":{},\"isDir\":false,\"modificationTime\":{},"
        "\"blockReplication\":1,\"blockSize\":33554432,\"action\":\"add\"}}",
        path, content.size(), now.time_since_epoch().count());
    if (!plan_.with_data_files) continue;
    storage.SetClock(now);
    storage.Write(path, content);
    pending_files_.push_back(path);
  }
  return true;
}

bool SimulatedSink::Log(MemoryStorage& storage, BatchId batch, Time now) {
  if (interval_ == 0) DeriveInterval(storage);
  if (!storage.Has(LogPath())) return false;
  std::string text = "v1";
  if (Compacts(batch) && !Collect(storage, batch, now, text)) return false;
  text += pending_;
  pending_.clear();
  pending_files_.clear();
  storage.SetClock(now);
  storage.Write(NameOf(batch), std::move(text));
  Clean(storage, batch, now);
  return true;
}

bool SimulatedSink::Collect(MemoryStorage& storage, BatchId batch, Time now,
                            std::string& text) const {
  for (BatchId needed = std::max<BatchId>(0, batch - interval_); needed < batch; ++needed) {
    const std::string path = NameOf(needed);
    if (!storage.Has(path)) return false;
    const std::string part = storage.TextOf(path);
    if (!part.starts_with("v1")) return false;
    if (plan_.retention == Duration{}) {
      text += part.substr(2);
      continue;
    }
    for (std::size_t at = part.find('\n'); at != std::string::npos;) {
      const std::size_t end = part.find('\n', at + 1);
      const std::string entry = part.substr(at, end == std::string::npos ? end : end - at);
      if (IsRetained(entry, now)) text += entry;
      at = end;
    }
  }
  return true;
}

bool SimulatedSink::IsRetained(const std::string& entry, Time now) const {
  constexpr std::string_view kField = "\"modificationTime\":";
  const std::size_t at = entry.find(kField) + kField.size();
  std::int64_t modified = 0;
  std::from_chars(entry.data() + at, entry.data() + entry.size(), modified);
  return now - Time(Duration(modified)) <= plan_.retention;
}

/// CompactibleFileStreamLog.deleteExpiredLog
void SimulatedSink::Clean(MemoryStorage& storage, BatchId batch, Time now) const {
  const std::int64_t retained = batch + 1 - kBatchesToRetain;
  if (interval_ > retained) return;
  const BatchId oldest = retained - retained % interval_ - 1;
  for (const std::string& name : NamesIn(storage, LogPath())) {
    const auto old = BatchOf(name);
    const std::string path = LogPath() + "/" + name;
    if (!old || *old >= oldest || now - storage.Stat(path)->modified <= kCleanupDelay) continue;
    storage.Remove(path);
  }
}

void SimulatedSink::Abort(MemoryStorage& storage) {
  for (const std::string& path : pending_files_) storage.Remove(path);
  pending_files_.clear();
  pending_.clear();
}

}  // namespace tidegauge::testing
