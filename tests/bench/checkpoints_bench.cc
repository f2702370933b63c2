// 1,000 local checkpoints, without and with the logs of their sinks: read for the first time, read
// again when nothing has changed, and polled whole.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "core/cycle.h"
#include "core/detectors/all.h"
#include "core/query_reading.h"
#include "daemon/reader_pool.h"
#include "daemon/storage/local_storage.h"

namespace {

namespace fs = std::filesystem;
using tidegauge::Target;

constexpr int kCheckpoints = 1000;
constexpr int kBatches = 17;

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

/// Of the same batches: one compact file, and what came after it.
void WriteSink(const fs::path& path) {
  const fs::path log = path / "_spark_metadata";
  fs::create_directories(log);
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::string name = fmt::format("{}{}", batch, batch % 10 == 9 ? ".compact" : "");
    WriteFile(log / name, R"(v1
{"path":"file:///data/out/orders/part-00000-68947f07-db07-44ad-a281-cf3474264f89-c000.parquet",)"
                          R"("size":745,"isDir":false,"modificationTime":1796009328868,)"
                          R"("blockReplication":1,"blockSize":33554432,"action":"add"})");
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
      with_sinks_.push_back(targets_.back());
      with_sinks_.back().sink = path / "out";
      WriteSink(with_sinks_.back().sink);
    }
    // Directories that changed just now are not trusted to be unchanged.
    std::this_thread::sleep_for(std::chrono::seconds(3));
  }
  ~Checkpoints() { fs::remove_all(root_); }

  const std::vector<Target>& targets(bool with_sinks) const {
    return with_sinks ? with_sinks_ : targets_;
  }

 private:
  fs::path root_;
  std::vector<Target> targets_;
  std::vector<Target> with_sinks_;
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

void WithoutAndWithSinks(benchmark::internal::Benchmark* bench) {
  bench->ArgName("sinks")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
  bench->UseRealTime()->MeasureProcessCPUTime();
}

void FirstRead(benchmark::State& state) {
  const auto& targets = All().targets(state.range(0) != 0);
  for (auto _ : state) {
    auto pool = MakePool();
    benchmark::DoNotOptimize(pool.ReadAll(targets, Now()));
  }
}
BENCHMARK(FirstRead)->Apply(WithoutAndWithSinks);

void Unchanged(benchmark::State& state) {
  const auto& targets = All().targets(state.range(0) != 0);
  auto pool = MakePool();
  pool.ReadAll(targets, Now());
  for (auto _ : state) benchmark::DoNotOptimize(pool.ReadAll(targets, Now()));
}
BENCHMARK(Unchanged)->Apply(WithoutAndWithSinks);

/// Reads, and has no Kafka.
class Disk : public tidegauge::World {
 public:
  explicit Disk(const std::vector<Target>& targets) : targets_(targets) {}

  tidegauge::Readings ReadCheckpoints(tidegauge::Time now) override {
    return {.queries = pool_.ReadAll(targets_, now)};
  }
  tidegauge::Answers Ask(const tidegauge::Questions& /*topics*/) override { return {}; }
  tidegauge::StampAnswers AskStamps(const tidegauge::Questions& /*topics*/) override { return {}; }

 private:
  const std::vector<Target>& targets_;
  tidegauge::ReaderPool pool_ = MakePool();
};

void UnchangedPoll(benchmark::State& state) {
  Disk disk(All().targets(state.range(0) != 0));
  const tidegauge::Rules rules{.detectors = tidegauge::AllDetectors()};
  tidegauge::Ledger ledger;
  RunCycle(disk, rules, ledger, Now());
  for (auto _ : state) benchmark::DoNotOptimize(RunCycle(disk, rules, ledger, Now()));
}
BENCHMARK(UnchangedPoll)->Apply(WithoutAndWithSinks);

}  // namespace

BENCHMARK_MAIN();
