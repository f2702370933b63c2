// A compact file of a gigabyte, streamed; and a log of 10,000 files, listed, with nothing changed
// and with one file more.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <sys/resource.h>

#include "core/sinklog/compactible_log.h"
#include "core/sinklog/entry_reader.h"
#include "daemon/storage/local_storage.h"

namespace {

namespace fs = std::filesystem;
using tidegauge::LogPtr;

constexpr std::size_t kCompactBytes = std::size_t{1} << 30;
constexpr int kFiles = 10'000;

std::string Entry(std::size_t number) {
  return fmt::format(
      R"({{"path":"file:///data/out/orders/part-{:05}-68947f07-db07-44ad-a281-cf3474264f89-c000)"
      R"(.snappy.parquet","size":{},"isDir":false,"modificationTime":{},"blockReplication":1,)"
      R"("blockSize":33554432,"action":"add"}})",
      number % 100'000, 745 + number, 1796009328868 + number);
}

/// Below the working directory, so that nobody's memory is filled instead of a disk.
class Logs {
 public:
  Logs() {
    fs::remove_all(root_);
    fs::create_directories(root_ / "many");
    std::ofstream compact(root_ / "9.compact");
    std::size_t bytes = 2;
    compact << "v1";
    for (std::size_t i = 0; bytes < kCompactBytes; ++i) {
      const std::string line = "\n" + Entry(i);
      bytes += line.size();
      compact << line;
    }
    for (int i = 0; i < kFiles; ++i) Add();
  }
  ~Logs() { fs::remove_all(root_); }
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;

  void Add() {
    const std::string name =
        next_ % 10 == 9 ? fmt::format("{}.compact", next_) : std::to_string(next_);
    std::ofstream(root_ / "many" / name) << "v1\n" << Entry(0);
    ++next_;
  }
  std::string compact() const { return (root_ / "9.compact").string(); }
  std::string many() const { return (root_ / "many").string(); }

 private:
  fs::path root_ = fs::current_path() / "sinklog_bench.tmp";
  int next_ = 0;
};

Logs& All() {
  static Logs logs;
  return logs;
}

tidegauge::Time Now() {
  return std::chrono::floor<tidegauge::Duration>(std::chrono::system_clock::now());
}

double ResidentMegabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void StreamAGigabyte(benchmark::State& state) {
  tidegauge::LocalStorage storage;
  const std::string path = All().compact();
  std::int64_t entries = 0;
  for (auto _ : state) {
    std::int64_t sum = 0;
    const auto read =
        tidegauge::ReadLogEntries(storage, path, 0, [&](const tidegauge::LogEntry& entry) {
          sum += entry.size + static_cast<std::int64_t>(entry.path.size());
          ++entries;
          return true;
        });
    if (!read) state.SkipWithError(read.error().message.c_str());
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kCompactBytes));
  state.counters["entries"] =
      static_cast<double>(entries) / static_cast<double>(state.iterations());
  state.counters["peak_MB"] = ResidentMegabytes();
}
BENCHMARK(StreamAGigabyte)->Unit(benchmark::kMillisecond);

void FirstLook(benchmark::State& state) {
  tidegauge::LocalStorage storage;
  for (auto _ : state) {
    benchmark::DoNotOptimize(tidegauge::ReadLog(storage, All().many(), 0, nullptr, Now()));
  }
}
BENCHMARK(FirstLook)->Unit(benchmark::kMicrosecond);

/// Seen long enough after it was written for modification times to tell.
void Unchanged(benchmark::State& state) {
  tidegauge::LocalStorage storage;
  const auto later = Now() + std::chrono::minutes(1);
  const LogPtr known = *tidegauge::ReadLog(storage, All().many(), 0, nullptr, later);
  for (auto _ : state) {
    benchmark::DoNotOptimize(tidegauge::ReadLog(storage, All().many(), 0, known, later));
  }
}
BENCHMARK(Unchanged)->Unit(benchmark::kMicrosecond);

void OneFileMore(benchmark::State& state) {
  tidegauge::LocalStorage storage;
  const auto later = Now() + std::chrono::minutes(1);
  LogPtr known = *tidegauge::ReadLog(storage, All().many(), 0, nullptr, later);
  for (auto _ : state) {
    state.PauseTiming();
    All().Add();
    state.ResumeTiming();
    known = *tidegauge::ReadLog(storage, All().many(), 0, known, later);
  }
}
BENCHMARK(OneFileMore)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
