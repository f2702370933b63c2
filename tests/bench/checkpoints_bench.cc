// 1,000 local checkpoints: read for the first time, and read again when nothing has changed.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "core/query_reading.h"
#include "daemon/reader_pool.h"
#include "daemon/storage/local_storage.h"

namespace {

namespace fs = std::filesystem;
using tidegauge::Target;

constexpr int kCheckpoints = 1000;
constexpr int kBatches = 10;

void WriteFile(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

void WriteCheckpoint(const fs::path& path) {
  fs::create_directories(path / "offsets");
  fs::create_directories(path / "commits");
  WriteFile(path / "metadata", R"({"id":"5f3a2c1e-0000-4000-8000-000000000001"})");
  for (int batch = 0; batch < kBatches; ++batch) {
    WriteFile(path / "offsets" / std::to_string(batch),
              fmt::format("v1\n{{\"batchTimestampMs\":{}}}\n{{\"orders\":{{\"0\":{}}}}}",
                          1'796'009'000'000 + batch, batch * 10));
    WriteFile(path / "commits" / std::to_string(batch), "v1\n{\"nextBatchWatermarkMs\":0}");
  }
}

/// The checkpoints, in a directory that is gone at the end.
class Checkpoints {
 public:
  Checkpoints() {
    std::string pattern = (fs::temp_directory_path() / "tidegauge-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    root_ = pattern;
    for (int i = 0; i < kCheckpoints; ++i) {
      const fs::path path = root_ / fmt::format("q{:04}", i);
      WriteCheckpoint(path);
      targets_.push_back({.query = path.filename().string(), .checkpoint = path.string()});
    }
    // Directories that changed just now are not trusted to be unchanged.
    std::this_thread::sleep_for(std::chrono::seconds(3));
  }
  ~Checkpoints() { fs::remove_all(root_); }

  const std::vector<Target>& targets() const { return targets_; }

 private:
  fs::path root_;
  std::vector<Target> targets_;
};

const Checkpoints& All() {
  static const Checkpoints checkpoints;
  return checkpoints;
}

tidegauge::Time Now() {
  return std::chrono::floor<tidegauge::Duration>(std::chrono::system_clock::now());
}

tidegauge::ReaderPool MakePool() {
  return tidegauge::ReaderPool([](const Target& target, const auto& previous, tidegauge::Time now) {
    tidegauge::LocalStorage storage;
    return tidegauge::ReadQuery(storage, target, previous, now);
  });
}

void FirstRead(benchmark::State& state) {
  for (auto _ : state) {
    auto pool = MakePool();
    benchmark::DoNotOptimize(pool.ReadAll(All().targets(), Now()));
  }
}
BENCHMARK(FirstRead)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

void Unchanged(benchmark::State& state) {
  auto pool = MakePool();
  pool.ReadAll(All().targets(), Now());
  for (auto _ : state) benchmark::DoNotOptimize(pool.ReadAll(All().targets(), Now()));
}
BENCHMARK(Unchanged)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace

BENCHMARK_MAIN();
