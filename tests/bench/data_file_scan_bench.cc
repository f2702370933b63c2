// A scan of 10,000 data files beside a bare stat() of each of them, and a step of a poll beside the
// whole scan. All three are made anew in each round, one after the other.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include "core/output/data_file_scan.h"
#include "core/sinklog/compactible_log.h"
#include "daemon/storage/local_storage.h"

namespace {

namespace fs = std::filesystem;
using tidegauge::DataFileScan;
using tidegauge::ScanLimits;

constexpr int kFiles = 10'000;
constexpr ScanLimits kPoll{.files = 1'000};
constexpr ScanLimits kWhole{.files = std::numeric_limits<std::int64_t>::max() /
                                     tidegauge::kEntriesPerFile};

tidegauge::Time Now() {
  return std::chrono::floor<tidegauge::Duration>(std::chrono::system_clock::now());
}

/// The output of a query, below the working directory: a disk, not memory.
class Output {
 public:
  Output() {
    fs::remove_all(root_);
    fs::create_directories(root_ / "_spark_metadata");
    std::ofstream log(root_ / "_spark_metadata" / "9.compact");
    log << "v1";
    for (int i = 0; i < kFiles; ++i) {
      const fs::path file =
          root_ / fmt::format("part-{:05}-68947f07-db07-44ad-a281-cf3474264f89-c000.json", i);
      std::ofstream(file) << "{}";
      paths_.push_back(file.string());
      log << fmt::format(
          "\n{{\"path\":\"file://"
          "{}\",\"size\":2,\"isDir\":false,\"modificationTime\":1796009328868,"
          "\"blockReplication\":1,\"blockSize\":33554432,\"action\":\"add\"}}",
          file.string());
    }
    log.close();
    log_ = *tidegauge::ReadLog(storage_, (root_ / "_spark_metadata").string(), 0, nullptr, Now());
    checkpoint_.newest_batch = checkpoint_.committed_batch = 9;
  }
  ~Output() { fs::remove_all(root_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void Stat() const {
    struct stat status{};
    for (const std::string& path : paths_) benchmark::DoNotOptimize(::stat(path.c_str(), &status));
  }
  DataFileScan NewScan() const { return DataFileScan(root_.string()); }
  void Step(DataFileScan& scan, const ScanLimits& limits) {
    scan.Step(storage_, *log_, checkpoint_, limits, Now());
  }

 private:
  fs::path root_ = fs::current_path() / "data_file_scan_bench.tmp";
  tidegauge::LocalStorage storage_;
  tidegauge::LogPtr log_;
  tidegauge::Checkpoint checkpoint_;
  std::vector<std::string> paths_;
};

/// Milliseconds of this thread's CPU: others who compute meanwhile do not count.
double CpuMilliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double Took(auto&& work) {
  const double begin = CpuMilliseconds();
  work();
  return CpuMilliseconds() - begin;
}

double Median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Whether the scan has seen all, and found nothing wrong.
bool IsWhole(const DataFileScan& scan) {
  const auto last = scan.View().last;
  return last != nullptr && last->listed == kFiles && last->missing.count == 0 &&
         last->truncated.count == 0 && last->orphans.count == 0;
}

void ScanBesideBareStats(benchmark::State& state) {
  Output output;
  std::vector<double> whole_to_bare;
  std::vector<double> step_to_whole;
  std::vector<double> longest_to_whole;
  std::vector<double> whole_ms;
  std::size_t steps = 0;
  for (auto _ : state) {
    const double bare = Took([&] { output.Stat(); });
    DataFileScan at_once = output.NewScan();
    const double whole = Took([&] { output.Step(at_once, kWhole); });
    DataFileScan in_steps = output.NewScan();
    std::vector<double> took;
    while (in_steps.View().last == nullptr) {
      took.push_back(Took([&] { output.Step(in_steps, kPoll); }));
      if (!in_steps.View().error.empty()) return state.SkipWithError("the scan cannot go on");
    }
    if (!IsWhole(at_once) || !IsWhole(in_steps)) return state.SkipWithError("something is wrong");
    steps = took.size();
    whole_ms.push_back(whole);
    whole_to_bare.push_back(whole / bare);
    step_to_whole.push_back(Median(took) / whole);
    longest_to_whole.push_back(std::ranges::max(took) / whole);
  }
  state.counters["whole_ms"] = Median(whole_ms);
  state.counters["whole_to_bare_stats"] = Median(whole_to_bare);
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["step_to_whole"] = Median(step_to_whole);
  state.counters["longest_step_to_whole"] = Median(longest_to_whole);
}
BENCHMARK(ScanBesideBareStats)->Iterations(31)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
