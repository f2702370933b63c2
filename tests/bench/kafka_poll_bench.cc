// kafka_poll_bench BOOTSTRAP [ROUNDS]: one poll of 100 topics × 100 partitions on a real broker,
// beside the same ListOffsets calls made bare. The two take turns, so that both see the same
// machine.
//
// Prints one JSON object: medians of wall and CPU seconds, and their ratio. The topics are made if
// they are not there.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <librdkafka/rdkafka.h>

#include "daemon/kafka/cluster.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTopics = 100;
constexpr int kPartitions = 100;
constexpr int kTimeoutMs = 30'000;

std::string TopicName(int number) { return fmt::format("bench-{}", number); }

struct Cost {
  double wall = 0;
  double cpu = 0;
};

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename Work>
Cost Measure(Work work) {
  const auto start = Clock::now();
  const double cpu = CpuSeconds();
  work();
  return {std::chrono::duration<double>(Clock::now() - start).count(), CpuSeconds() - cpu};
}

double Median(std::vector<Cost> costs, double Cost::* figure) {
  const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::ranges::nth_element(costs, middle, {}, figure);
  return (*middle).*figure;
}

[[noreturn]] void Fail(const std::string& why) {
  fmt::print(stderr, "kafka_poll_bench: {}\n", why);
  std::exit(1);
}

/// A client that does nothing but what it is told.
class BareClient {
 public:
  explicit BareClient(const std::string& bootstrap) {
    char error[256];
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "bootstrap.servers", bootstrap.c_str(), error, sizeof(error));
    client_ = rd_kafka_new(RD_KAFKA_CONSUMER, conf, error, sizeof(error));
    if (client_ == nullptr) Fail(error);
  }
  ~BareClient() { rd_kafka_destroy(client_); }
  BareClient(const BareClient&) = delete;
  BareClient& operator=(const BareClient&) = delete;

  /// One a request: the controller refuses too many partitions at once.
  void CreateTopics() {
    for (int i = 0; i < kTopics; ++i) {
      char error[256];
      rd_kafka_NewTopic_t* topic =
          rd_kafka_NewTopic_new(TopicName(i).c_str(), kPartitions, 1, error, sizeof(error));
      rd_kafka_queue_t* queue = rd_kafka_queue_new(client_);
      rd_kafka_CreateTopics(client_, &topic, 1, nullptr, queue);
      rd_kafka_event_t* event = rd_kafka_queue_poll(queue, kTimeoutMs);
      if (event == nullptr) Fail("no topic could be made");
      rd_kafka_event_destroy(event);
      rd_kafka_queue_destroy(queue);
      rd_kafka_NewTopic_destroy(topic);
    }
  }

  /// Earliest and latest, a call of 100 partitions each, all at once. How many offsets came back.
  std::size_t ListOffsets() {
    rd_kafka_queue_t* queue = rd_kafka_queue_new(client_);
    for (const auto spec : {RD_KAFKA_OFFSET_SPEC_EARLIEST, RD_KAFKA_OFFSET_SPEC_LATEST}) {
      for (int i = 0; i < kTopics; ++i) Ask(i, spec, queue);
    }
    std::size_t known = 0;
    for (int i = 0; i < 2 * kTopics; ++i) known += Take(queue);
    rd_kafka_queue_destroy(queue);
    return known;
  }

 private:
  void Ask(int topic, rd_kafka_OffsetSpec_t spec, rd_kafka_queue_t* queue) {
    rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(kPartitions);
    for (int i = 0; i < kPartitions; ++i) {
      rd_kafka_topic_partition_list_add(list, TopicName(topic).c_str(), i)->offset = spec;
    }
    rd_kafka_ListOffsets(client_, list, nullptr, queue);
    rd_kafka_topic_partition_list_destroy(list);
  }

  static std::size_t Take(rd_kafka_queue_t* queue) {
    rd_kafka_event_t* event = rd_kafka_queue_poll(queue, kTimeoutMs);
    if (event == nullptr) Fail("the broker did not answer");
    std::size_t count = 0;
    std::size_t known = 0;
    const auto* result = rd_kafka_event_ListOffsets_result(event);
    const auto** infos = rd_kafka_ListOffsets_result_infos(result, &count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto* partition = rd_kafka_ListOffsetsResultInfo_topic_partition(infos[i]);
      if (partition->offset >= 0) ++known;
    }
    rd_kafka_event_destroy(event);
    return known;
  }

  rd_kafka_t* client_ = nullptr;
};

std::size_t KnownOffsets(const tidegauge::ClusterAnswer& answer) {
  std::size_t known = 0;
  for (const auto& [name, topic] : answer.topics) {
    for (const auto& [number, partition] : topic.partitions) {
      known += static_cast<std::size_t>(partition.log_start.has_value()) +
               static_cast<std::size_t>(partition.log_end.has_value());
    }
  }
  return known;
}

/// What a poll answers; anything but all of it makes the figures void.
void Poll(tidegauge::Cluster& cluster, const std::set<std::string>& topics) {
  const auto answer = cluster.Fetch(topics, tidegauge::Duration(kTimeoutMs));
  if (!answer) Fail(answer.error().message);
  const std::size_t known = KnownOffsets(*answer);
  if (known != 2 * kTopics * kPartitions) Fail(fmt::format("a poll gave {} offsets", known));
}

void WaitForTopics(tidegauge::Cluster& cluster, const std::set<std::string>& topics) {
  for (int i = 0; i < 120; ++i) {
    const auto answer = cluster.Fetch(topics, tidegauge::Duration(kTimeoutMs));
    if (answer && KnownOffsets(*answer) == 2 * kTopics * kPartitions) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  Fail("the topics did not come up");
}

void Print(const std::vector<Cost>& polls, const std::vector<Cost>& bare) {
  const double poll_wall = Median(polls, &Cost::wall);
  const double bare_wall = Median(bare, &Cost::wall);
  fmt::print(
      "{{\"partitions\": {}, \"rounds\": {}, \"poll_wall_s\": {:.4f}, \"bare_wall_s\": {:.4f}, "
      "\"wall_ratio\": {:.2f}, \"poll_cpu_s\": {:.4f}, \"bare_cpu_s\": {:.4f}}}\n",
      kTopics * kPartitions, polls.size(), poll_wall, bare_wall, poll_wall / bare_wall,
      Median(polls, &Cost::cpu), Median(bare, &Cost::cpu));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) Fail("usage: kafka_poll_bench BOOTSTRAP [ROUNDS]");
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 21;
  BareClient client(argv[1]);
  client.CreateTopics();
  auto cluster = tidegauge::MakeKafkaCluster({.name = "bench", .bootstrap_servers = argv[1]});
  if (!cluster) Fail(cluster.error().message);
  std::set<std::string> topics;
  for (int i = 0; i < kTopics; ++i) topics.insert(TopicName(i));
  WaitForTopics(**cluster, topics);
  client.ListOffsets();
  std::vector<Cost> polls;
  std::vector<Cost> bare;
  for (int i = 0; i < rounds; ++i) {
    bare.push_back(Measure([&] {
      if (client.ListOffsets() != 2 * kTopics * kPartitions) Fail("a bare call gave too little");
    }));
    polls.push_back(Measure([&] { Poll(**cluster, topics); }));
  }
  Print(polls, bare);
}
