// How long a scrape takes, without the network. Figures to reach: 10,000 partitions at partition
// granularity in 30 ms, 100,000 series in 100 ms.
#include <string>

#include <benchmark/benchmark.h>

#include "daemon/expose/metrics.h"
#include "daemon/expose/page.h"
#include "daemon/expose/report_json.h"
#include "daemon/http/gzip.h"

namespace tidegauge {
namespace {

constexpr std::int64_t kPartitionsATopic = 100;

Report MakeReport(std::int64_t partitions) {
  Report report{.polled_at = Time(std::chrono::seconds(1'796'011'200)), .poll = 1};
  for (std::int64_t topic = 0; topic < partitions / kPartitionsATopic; ++topic) {
    const std::string name = "orders-of-region-" + std::to_string(topic);
    QueryReport query{.query = "load-" + name,
                      .kafka_cluster = "main",
                      .state = QueryState::kOk,
                      .checkpoint_up = true,
                      .newest_batch = 1'000 + topic,
                      .topics = {{.topic = name, .presence = TopicPresence::kPresent}}};
    for (std::int64_t i = 0; i < kPartitionsATopic; ++i) {
      const Offset position = 1'234'567'890 + topic * 1'000'003 + i * 7'919;
      query.topics[0].partitions.push_back({static_cast<Partition>(i), position,
                                            position - 1'000'000, position + i * topic % 10'007});
    }
    report.queries.push_back(std::move(query));
  }
  return report;
}

std::size_t SeriesOf(std::string_view page) {
  std::size_t series = 0;
  for (std::size_t at = 0; at < page.size(); at = page.find('\n', at) + 1) {
    if (page[at] != '#') ++series;
  }
  return series;
}

void RenderMetricsBench(benchmark::State& state) {
  const Report report = MakeReport(state.range(0));
  std::string page;
  for (auto _ : state) {
    page = RenderMetrics(&report, {}, {}, MetricFormat::kText);
    benchmark::DoNotOptimize(page);
  }
  state.counters["series"] = static_cast<double>(SeriesOf(page));
  state.counters["bytes"] = static_cast<double>(page.size());
}
BENCHMARK(RenderMetricsBench)
    ->Name("metrics")
    ->Arg(10'000)
    ->Arg(16'700)
    ->Unit(benchmark::kMillisecond);

void CompressedMetricsBench(benchmark::State& state) {
  const Report report = MakeReport(state.range(0));
  std::optional<std::string> compressed;
  for (auto _ : state) {
    compressed = Gzip(RenderMetrics(&report, {}, {}, MetricFormat::kText));
    benchmark::DoNotOptimize(compressed);
  }
  state.counters["bytes"] = static_cast<double>(compressed->size());
}
BENCHMARK(CompressedMetricsBench)
    ->Name("metrics_gzip")
    ->Arg(10'000)
    ->Arg(16'700)
    ->Unit(benchmark::kMillisecond);

void QueriesJsonBench(benchmark::State& state) {
  const Report report = MakeReport(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(QueriesJson(report));
}
BENCHMARK(QueriesJsonBench)->Name("queries_json")->Arg(10'000)->Unit(benchmark::kMillisecond);

void PageBench(benchmark::State& state) {
  const Report report = MakeReport(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(RenderPage(&report, {}, report.polled_at));
}
BENCHMARK(PageBench)->Name("page")->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tidegauge

BENCHMARK_MAIN();
