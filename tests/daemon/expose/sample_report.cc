#include "tests/daemon/expose/sample_report.h"

namespace tidegauge {
namespace {

using namespace std::chrono_literals;

QueryReport Orders() {
  return {.query = "orders",
          .checkpoint = "/data/checkpoints/orders",
          .kafka_cluster = "main",
          .state = QueryState::kFindings,
          .checkpoint_up = true,
          .newest_batch = 12,
          .committed_batch = 11,
          .newest_batch_at = kPolledAt - 90s,
          .baseline_at = kPolledAt - 24h,
          .unmonitored_sources = 1,
          .topics = {{.topic = "orders",
                      .presence = TopicPresence::kPresent,
                      .partitions = {{0, 500, 0, 800}, {1, 900, 1000, 850}, {2, {}, 0, 7}}}}};
}

QueryReport Clicks() {
  return {.query = "clicks",
          .checkpoint = "/data/checkpoints/clicks",
          .kafka_cluster = "spare",
          .state = QueryState::kUnknown,
          .unknown = {"/data/checkpoints/clicks/offsets: permission denied"}};
}

QueryReport Logs() {
  return {.query = "logs",
          .checkpoint = "/data/checkpoints/logs",
          .kafka_cluster = "main",
          .state = QueryState::kOk,
          .checkpoint_up = true,
          .newest_batch = 3,
          .committed_batch = 3,
          .newest_batch_at = kPolledAt - 10s,
          .baseline_at = kPolledAt - 1h,
          .topics = {{.topic = "logs",
                      .presence = TopicPresence::kPresent,
                      .partitions = {{0, 9223372036854775806, 0, 9223372036854775807}}}}};
}

FindingReport Recreated() {
  return {.finding = {.key = {"topic_recreated", "orders", "main", "orders", ""},
                      .severity = Severity::kCritical,
                      .direction = "above",
                      .evidence = {"topic_id"},
                      .records = 500,
                      .partitions = {{0, 500, 0, 800, 500}},
                      .summary = "Topic orders was recreated."},
          .phase = Phase::kFiring,
          .pending_since = kPolledAt - 125s,
          .firing_since = kPolledAt - 60s};
}

FindingReport HeadroomLow() {
  return {.finding = {.key = {"retention_headroom_low", "orders", "main", "orders", ""},
                      .severity = Severity::kWarning,
                      .confidence = Confidence::kLikely,
                      .records_bound = Bound::kAtMost,
                      .expected_at = kPolledAt + 90min,
                      .summary = "Retention reaches the position soon."},
          .phase = Phase::kPending,
          .pending_since = kPolledAt};
}

std::vector<ClusterReport> Clusters() {
  return {{.kafka_cluster = "main",
           .up = true,
           .cluster_id = "lab-1",
           .took = 45ms,
           .last_success_at = kPolledAt},
          {.kafka_cluster = "spare", .error = "broker1:9092: no answer in 10 s", .took = 10s}};
}

std::vector<Event> History() {
  const FindingKey skipped{"records_skipped", "orders", "main", "orders", ""};
  return {{.at = kPolledAt - 60s,
           .key = {"topic_recreated", "orders", "main", "orders", ""},
           .text = "Topic orders was recreated."},
          {.at = kPolledAt - 2h,
           .type = EventType::kAcknowledged,
           .key = skipped,
           .text = "by ann: replayed <all>"},
          {.at = kPolledAt - 3h,
           .type = EventType::kResolved,
           .key = {"query_stalled", "gone", "", "", ""},
           .severity = Severity::kWarning,
           .firing_since = kPolledAt - 5h}};
}

}  // namespace

Report SampleReport() {
  return {.polled_at = kPolledAt,
          .took = 1250ms,
          .poll = 42,
          .clusters = Clusters(),
          .queries = {Clicks(), Logs(), Orders()},
          .findings = {HeadroomLow(), Recreated()},
          .unknown = {"/data/other/{job}: nothing matches"},
          .findings_total = {{"topic_recreated", 3}},
          .history = History(),
          .errors_total = {{"kafka", 7}, {"storage", 1}}};
}

Report QuietReport() {
  return {.polled_at = kPolledAt,
          .took = 5ms,
          .poll = 2,
          .clusters = {Clusters().front()},
          .queries = {Logs()}};
}

LogReport SinkLogReport() {
  return {.log = "sink",
          .up = true,
          .newest_batch = 8,
          .interval = 10,
          .next_compaction = 9,
          .missing = 2,
          .batches_left = 1,
          .failure_expected_at = Time(std::chrono::seconds(1'796'000'000)),
          .compact_bytes = 5000,
          .compact_growth = -7,
          .compact_written_at = Time(std::chrono::seconds(1'796'000'100)),
          .compaction_took = Duration(1500)};
}

DataFilesReport EndedScanReport() {
  return {.progress = 1,
          .ended_at = Time(std::chrono::hours(1)),
          .listed = 12,
          .listed_bytes = 3400,
          .missing = 1,
          .truncated = 0,
          .outside_root = 0,
          .orphans = 5};
}

SelfReport SampleSelf() {
  return {.version = "0.1.0",
          .process = {.started_at = kPolledAt - 1h,
                      .cpu_time = 2340ms,
                      .resident_bytes = 20'971'520,
                      .open_fds = 17},
          .last_reload_ok = true,
          .config_loaded_at = kPolledAt - 1h,
          .poll_overdue = 2min,
          .shard = 3,
          .shards = 16};
}

}  // namespace tidegauge
