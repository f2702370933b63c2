// The CPU of one poll in which nothing has changed, without storage and network: 10,000 partitions
// in 100 queries, and 1,000 queries of one partition. Goal: well below 50 ms.
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "core/cycle.h"
#include "core/detectors/all.h"

namespace tidegauge {
namespace {

constexpr Time kStart(std::chrono::milliseconds(1'796'011'200'000));

/// Answers everything from memory, and always the same.
class StillWorld : public World {
 public:
  StillWorld(std::int64_t queries, std::int64_t partitions) {
    ClusterAnswer answer{.cluster_id = "lab-1"};
    for (std::int64_t i = 0; i < queries; ++i) {
      const std::string topic = "orders-of-region-" + std::to_string(i);
      auto checkpoint = std::make_shared<Checkpoint>();
      checkpoint->query_id = std::to_string(i);
      checkpoint->newest_batch = checkpoint->committed_batch = 1'000;
      checkpoint->position_at = kStart;
      checkpoint->kafka_sources = 1;
      checkpoint->position = {{.topic = topic, .batch = 1'000}};
      TopicAnswer& topic_answer = answer.topics[topic];
      topic_answer = {.presence = TopicPresence::kPresent,
                      .topic_id = "6sdon+hdTpGDPuUqycli" + std::to_string(i)};
      for (Partition p = 0; p < partitions; ++p) {
        const Offset position = 1'234'567'890 + i * 1'000'003 + p * 7'919;
        checkpoint->position[0].offsets[p] = position;
        topic_answer.partitions[p] = {position - 1'000'000, position + p, {}};
      }
      readings_.queries.push_back(
          {{.query = "load-" + topic, .checkpoint = "/data/" + topic, .kafka_cluster = "main"},
           std::move(checkpoint)});
    }
    answers_.insert({"main", {.answer = std::move(answer)}});
  }

  Readings ReadCheckpoints(Time) override { return readings_; }
  Answers Ask(const Questions&) override { return answers_; }
  StampAnswers AskStamps(const Questions&) override { return {}; }

 private:
  Readings readings_;
  Answers answers_;
};

void UnchangedPoll(benchmark::State& state) {
  StillWorld world(state.range(0), state.range(1));
  const Rules rules{.detectors = AllDetectors()};
  Ledger ledger;
  Time now = kStart;
  for (int poll = 0; poll < 20; ++poll)
    RunCycle(world, rules, ledger, now += std::chrono::seconds(30));
  for (auto _ : state) {
    const Report report = RunCycle(world, rules, ledger, now += std::chrono::seconds(30));
    if (!report.findings.empty() || report.queries.front().state != QueryState::kOk) {
      state.SkipWithError("an unchanged poll found something");
    }
  }
}
BENCHMARK(UnchangedPoll)
    ->Name("unchanged_poll")
    ->ArgNames({"queries", "partitions"})
    ->Args({100, 100})
    ->Args({1'000, 1})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tidegauge

BENCHMARK_MAIN();
