#include "daemon/commands/demo_scene.h"

#include <fstream>
#include <system_error>

#include <fmt/core.h>

#include "config/replay_file.h"

namespace tidegauge {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::minutes;

std::string Offsets(const std::string& topic, const std::string& partitions) {
  return fmt::format(R"({{"{}":{{{}}}}})", topic, partitions);
}

/// A topic that the broker stamps, whose first record came at `first_record_at`.
RecordedTopic Topic(Offset log_start, Offset log_end, Time first_record_at) {
  RecordedTopic topic{.id = "ZGVtby10b3BpYy1pZC0wMQ",
                      .timestamp_type = TimestampType::kLogAppendTime};
  RecordedPartition partition{.log_start = log_start, .log_end = log_end};
  if (log_end > log_start) partition.by_time = {{first_record_at, log_start}};
  topic.partitions[0] = partition;
  return topic;
}

DemoQuery Recreated(Time now, const std::string& name, Offset new_end, const std::string& story) {
  DemoQuery query{.name = name, .shows = "topic_recreated", .story = story};
  query.batches = {{Offsets(name, R"("0":500)"), now - hours(2)}};
  query.recorded = Topic(0, new_end, now - minutes(30));
  return query;
}

std::vector<DemoQuery> Lost(Time now) {
  DemoQuery skipped{.name = "invoices",
                    .shows = "records_skipped",
                    .story =
                        "its topic was recreated with 300 records and failOnDataLoss=false "
                        "passed over all of them"};
  skipped.batches = {{Offsets("invoices", R"("0":500)"), now - hours(2)},
                     {Offsets("invoices", R"("0":300)"), now - minutes(20)}};
  skipped.recorded = Topic(0, 320, now - minutes(30));

  DemoQuery expired{
      .name = "sensors",
      .shows = "records_expired",
      .story = "it stood still while retention took 200 records that it had not read"};
  expired.batches = {{Offsets("sensors", R"("0":500)"), now - hours(30)},
                     {Offsets("sensors", R"("0":1000)"), now - hours(2), false}};
  expired.recorded = Topic(700, 1000, now - hours(20));

  DemoQuery dropped{.name = "devices",
                    .shows = "partition_dropped",
                    .story = "it goes on without a partition that it used to read"};
  dropped.batches = {{Offsets("devices", R"("0":40,"1":30)"), now - hours(2)},
                     {Offsets("devices", R"("0":45)"), now - hours(1)}};
  dropped.recorded = Topic(0, 45, now - hours(20));

  DemoQuery added{
      .name = "alerts",
      .shows = "new_partition_not_from_start",
      .story = "its topic grew a partition that lost 25 records before it was first read"};
  added.batches = {{Offsets("alerts", R"("0":80)"), now - hours(2)}};
  added.recorded = Topic(0, 80, now - hours(20));
  added.recorded.partitions[1] = {.log_start = 25, .log_end = 60};
  return {skipped, expired, dropped, added};
}

std::vector<DemoQuery> Live(Time now) {
  DemoQuery healthy{.name = "orders", .shows = "healthy", .story = "it reads what there is"};
  healthy.batches = {{Offsets("orders", R"("0":60)"), now - minutes(2)},
                     {Offsets("orders", R"("0":95)"), now - minutes(1)}};
  healthy.live_records = 100;

  DemoQuery below{.name = "audit",
                  .shows = "end_below_checkpoint",
                  .story = "its topic ends before the position, and nothing tells why"};
  below.batches = {{Offsets("audit", R"("0":50)"), now - minutes(3)}};
  below.live_records = 20;
  return {healthy, below};
}

Result<void> Write(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return {};
  return Fail(ErrorKind::kUnavailable, fmt::format("{}: cannot be written", path.string()));
}

Result<void> WriteCheckpoint(const fs::path& checkpoint, const DemoQuery& query) {
  auto done = Write(checkpoint / "metadata", R"({"id":"5f3a2c1e-0000-4000-8000-000000000001"})");
  for (std::size_t batch = 0; done && batch < query.batches.size(); ++batch) {
    const DemoBatch& content = query.batches[batch];
    const std::string name = std::to_string(batch);
    done = Write(
        checkpoint / "offsets" / name,
        fmt::format("v1\n{{\"batchWatermarkMs\":0,\"batchTimestampMs\":{},\"conf\":{{}}}}\n{}",
                    content.planned_at.time_since_epoch().count(), content.offsets));
    if (done && content.committed) {
      done = Write(checkpoint / "commits" / name, "v1\n{\"nextBatchWatermarkMs\":0}");
    }
  }
  return done;
}

std::string ConfigText(const fs::path& directory, const std::vector<DemoQuery>& queries,
                       const std::string& bootstrap_servers) {
  std::string text = fmt::format(
      "kafka:\n  - {{name: live, bootstrap_servers: \"{}\"}}\n"
      "  - {{name: recorded, replay_file: kafka.yaml}}\npoll_interval: 5s\ndetectors:\n",
      bootstrap_servers);
  for (const char* kind :
       {"end_below_checkpoint", "topic_missing", "new_partition_not_from_start"}) {
    text += fmt::format("  {}: {{hold: 0s}}\n", kind);
  }
  text += "queries:\n";
  for (const DemoQuery& query : queries) {
    text +=
        fmt::format("  - {{name: {0}, checkpoint: \"{1}/checkpoints/{0}\", kafka: {2}}}\n",
                    query.name, directory.string(), query.live_records < 0 ? "recorded" : "live");
  }
  return text;
}

}  // namespace

std::vector<DemoQuery> DemoScene(Time now) {
  std::vector<DemoQuery> scene = Live(now);
  scene.push_back(Recreated(now, "payments", 800,
                            "recreated with more records than before: Spark will say nothing"));
  scene.push_back(
      Recreated(now, "shipments", 500,
                "recreated with exactly as many: Spark will say nothing and read nothing"));
  scene.push_back(Recreated(now, "refunds", 300, "recreated with fewer: Spark will fail"));
  DemoQuery missing{.name = "returns", .shows = "topic_missing", .story = "its topic was deleted"};
  missing.batches = {{Offsets("returns", R"("0":10)"), now - hours(2)}};
  scene.push_back(missing);
  for (DemoQuery& query : Lost(now)) scene.push_back(std::move(query));
  return scene;
}

Result<void> WriteScene(const fs::path& directory, const std::vector<DemoQuery>& queries,
                        const std::string& bootstrap_servers) {
  RecordedCluster recorded{.cluster_id = "demo-recorded"};
  Result<void> done;
  for (const DemoQuery& query : queries) {
    if (!query.recorded.partitions.empty()) recorded.topics[query.name] = query.recorded;
    done = WriteCheckpoint(directory / "checkpoints" / query.name, query);
    if (!done) return done;
  }
  done = WriteReplayFile((directory / "kafka.yaml").string(), recorded);
  if (!done) return done;
  return Write(directory / "tidegauge.yaml", ConfigText(directory, queries, bootstrap_servers));
}

}  // namespace tidegauge
