#include "daemon/expose/metrics.h"

#include <optional>
#include <utility>

#include <fmt/core.h>

#include "daemon/expose/data_file_metrics.h"
#include "daemon/expose/finding_metrics.h"
#include "daemon/expose/lag_metrics.h"
#include "daemon/expose/log_metrics.h"

namespace tidegauge {
namespace {

using enum MetricType;

void AddSelf(Exposition& out, const SelfReport& self, bool ready) {
  const auto add = [&out](const MetricFamily& family, const auto& value) {
    out.Begin(family);
    out.Add("", value);
  };
  const ProcessStatus& process = self.process;
  out.Begin({"tidegauge_build", kInfo, "The version that runs."});
  out.Add(FormatLabels({{"version", self.version}}), 1);
  add({"tidegauge_ready", kGauge, "1 once a poll has been completed."}, ready);
  add({"tidegauge_config_last_reload_successful", kGauge,
       "1 if the configuration was valid when it was last read."},
      self.last_reload_ok);
  add({"tidegauge_config_last_reload_success_timestamp_seconds", kGauge,
       "When the configuration in use was read, in seconds since 1970."},
      self.config_loaded_at);
  add({"tidegauge_poll_overdue_seconds", kGauge,
       "How long after the end of a poll the next one must have ended, in seconds."},
      self.poll_overdue);
  add({"process_cpu_seconds", kCounter, "User and system CPU time spent, in seconds."},
      process.cpu_time);
  add({"process_resident_memory_bytes", kGauge, "Resident memory, in bytes."},
      process.resident_bytes);
  add({"process_virtual_memory_bytes", kGauge, "Virtual memory, in bytes."}, process.virtual_bytes);
  add({"process_open_fds", kGauge, "Open file descriptors."}, process.open_fds);
  add({"process_max_fds", kGauge, "Most file descriptors that may be open."}, process.max_fds);
  add({"process_start_time_seconds", kGauge, "When the process started, in seconds since 1970."},
      process.started_at);
}

void AddShard(Exposition& out, const SelfReport& self) {
  if (self.shards == 1) return;
  out.Begin({"tidegauge_shards", kGauge,
             "Among how many daemons the queries are shared; `shard` says which of them this is."});
  out.Add(FormatLabels({{"shard", fmt::format("{}", self.shard)}}), self.shards);
}

void AddAlertmanagers(Exposition& out, const std::vector<AlertmanagerStatus>& alertmanagers) {
  const auto add = [&](const MetricFamily& family, auto value_of) {
    out.Begin(family);
    for (const AlertmanagerStatus& one : alertmanagers) {
      out.Add(FormatLabels({{"alertmanager", one.url}}), value_of(one));
    }
  };
  add({"tidegauge_notifications_sent", kCounter, "Alerts that Alertmanager took."},
      [](const AlertmanagerStatus& a) { return a.sent; });
  add({"tidegauge_notifications_errors", kCounter, "Alerts that it did not take."},
      [](const AlertmanagerStatus& a) { return a.errors; });
  add({"tidegauge_notifications_dropped", kCounter, "Alerts that the queue had no room for."},
      [](const AlertmanagerStatus& a) { return a.dropped; });
  add({"tidegauge_notifications_queue_length", kGauge, "Alerts that wait to be sent."},
      [](const AlertmanagerStatus& a) { return a.queue_length; });
  add({"tidegauge_notifications_queue_capacity", kGauge, "How many alerts may wait."},
      [](const AlertmanagerStatus& a) { return a.queue_capacity; });
  add({"tidegauge_notification_duration_seconds", kGauge, "How long the last batch took."},
      [](const AlertmanagerStatus& a) { return a.took; });
}

void AddPoll(Exposition& out, const Report& report) {
  const auto add = [&out](const MetricFamily& family, const auto& value) {
    out.Begin(family);
    out.Add("", value);
  };
  add({"tidegauge_last_poll_timestamp_seconds", kGauge,
       "When the poll began that all values on this page are from, in seconds since 1970."},
      report.polled_at);
  add({"tidegauge_poll_duration_seconds", kGauge,
       "How long the last complete poll took, in seconds."},
      report.took);
  add({"tidegauge_polls", kCounter, "Polls completed since the process started."}, report.poll);
  add({"tidegauge_state_persistent", kGauge,
       "1 if what was learnt reached the disk, 0 if a restart would forget it."},
      report.state_persistent);
  add({"tidegauge_discovery_unknown", kGauge,
       "Entries of the configuration whose queries could not be found."},
      report.unknown.size());
  out.Begin({"tidegauge_errors", kCounter, "Failures since the process started, by reason."});
  for (const auto& [reason, count] : report.errors_total) {
    out.Add(FormatLabels({{"reason", reason}}), count);
  }
}

void AddClusters(Exposition& out, const Report& report) {
  const auto add = [&](const MetricFamily& family, auto value_of) {
    out.Begin(family);
    for (const ClusterReport& cluster : report.clusters) {
      out.Add(FormatLabels({{"kafka_cluster", cluster.kafka_cluster}}), value_of(cluster));
    }
  };
  add({"tidegauge_kafka_up", kGauge, "1 if the cluster answered in the last poll."},
      [](const ClusterReport& c) { return c.up; });
  add({"tidegauge_kafka_request_duration_seconds", kGauge,
       "How long the questions to the cluster took in the last poll."},
      [](const ClusterReport& c) { return c.took; });
  add({"tidegauge_kafka_last_success_timestamp_seconds", kGauge,
       "When the cluster last answered, in seconds since 1970; absent if it never did."},
      [](const ClusterReport& c) { return c.last_success_at; });
}

void AddQueries(Exposition& out, const Report& report) {
  const auto add = [&](const MetricFamily& family, auto value_of) {
    out.Begin(family);
    for (const QueryReport& query : report.queries) {
      out.Add(FormatLabels({{"query", query.query}}), value_of(query));
    }
  };
  add({"tidegauge_checkpoint_up", kGauge, "1 if the query's checkpoint was read in the last poll."},
      [](const QueryReport& q) { return q.checkpoint_up; });
  add({"tidegauge_query_unknown", kGauge,
       "1 if something about the query could not be judged in the last poll."},
      [](const QueryReport& q) { return !q.unknown.empty() || q.state == QueryState::kUnknown; });
  add({"tidegauge_query_newest_batch", kGauge, "The newest batch that the query has planned."},
      [](const QueryReport& q) { return q.newest_batch; });
  add({"tidegauge_query_committed_batch", kGauge, "The newest batch that the query has completed."},
      [](const QueryReport& q) { return q.committed_batch; });
  add({"tidegauge_query_newest_batch_timestamp_seconds", kGauge,
       "When the newest batch was planned, in seconds since 1970."},
      [](const QueryReport& q) { return q.newest_batch_at; });
  add({"tidegauge_query_baseline_timestamp_seconds", kGauge,
       "Since when the query's topics are remembered, in seconds since 1970."},
      [](const QueryReport& q) { return q.baseline_at; });
  add({"tidegauge_query_unmonitored_sources", kGauge,
       "Sources of the query that are not Kafka and are not looked at."},
      [](const QueryReport& q) -> std::optional<std::size_t> {
        if (!q.checkpoint_up) return std::nullopt;
        return q.unmonitored_sources;
      });
}

}  // namespace

std::string RenderMetrics(const Report* report, const SelfReport& self,
                          const MetricsOptions& options, MetricFormat format) {
  Exposition out(format);
  AddSelf(out, self, report != nullptr);
  AddShard(out, self);
  AddAlertmanagers(out, self.alertmanagers);
  if (report != nullptr) {
    AddPoll(out, *report);
    AddClusters(out, *report);
    AddQueries(out, *report);
    AddFindings(out, *report);
    AddLogs(out, *report);
    AddDataFiles(out, *report);
    AddLag(out, *report, options);
  }
  return std::move(out).Finish();
}

}  // namespace tidegauge
