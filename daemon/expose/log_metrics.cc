#include "daemon/expose/log_metrics.h"

namespace tidegauge {

using enum MetricType;

void AddLogs(Exposition& out, const Report& report) {
  const auto add = [&](const MetricFamily& family, auto value_of) {
    out.Begin(family);
    for (const QueryReport& query : report.queries) {
      for (const LogReport& log : query.logs) {
        out.Add(FormatLabels({{"query", query.query}, {"log", log.log}}), value_of(log));
      }
    }
  };
  add({"tidegauge_sink_log_up", kGauge, "1 if the log was read in the last poll."},
      [](const LogReport& log) { return log.up; });
  add({"tidegauge_sink_log_newest_batch", kGauge, "The newest batch that the log has a file of."},
      [](const LogReport& log) { return log.newest_batch; });
  add({"tidegauge_sink_log_compact_interval", kGauge,
       "Every how many batches a driver that starts now would compact the log."},
      [](const LogReport& log) { return log.interval; });
  add({"tidegauge_sink_log_missing_files", kGauge,
       "Files that readers or the next compaction need and that are absent."},
      [](const LogReport& log) { return log.missing; });
  add({"tidegauge_sink_log_batches_left", kGauge,
       "Batches until the compaction that will fail; absent if none will."},
      [](const LogReport& log) { return log.batches_left; });
  add({"tidegauge_sink_log_failure_expected_timestamp_seconds", kGauge,
       "When the compaction that will fail is expected, in seconds since 1970; absent if unknown."},
      [](const LogReport& log) { return log.failure_expected_at; });
  add({"tidegauge_sink_log_compact_bytes", kGauge, "Size of the newest compact file, in bytes."},
      [](const LogReport& log) { return log.compact_bytes; });
  add({"tidegauge_sink_log_compact_growth_bytes", kGauge,
       "By how much a compact file is larger than the one before it, in bytes, on average over the "
       "newest ones."},
      [](const LogReport& log) { return log.compact_growth; });
  add({"tidegauge_sink_log_compact_written_timestamp_seconds", kGauge,
       "When the newest compact file was written, in seconds since 1970."},
      [](const LogReport& log) { return log.compact_written_at; });
  add({"tidegauge_sink_log_compaction_seconds", kGauge,
       "How long the batch of the newest compact file took, from its plan to that file; absent if "
       "unknown."},
      [](const LogReport& log) { return log.compaction_took; });
}

}  // namespace tidegauge
