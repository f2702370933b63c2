#include "daemon/expose/data_file_metrics.h"

namespace tidegauge {

using enum MetricType;

namespace {

void AddState(Exposition& out, const QueryReport& query, std::string_view state,
              const std::optional<std::int64_t>& files) {
  out.Add(FormatLabels({{"query", query.query}, {"state", state}}), files);
}

}  // namespace

void AddDataFiles(Exposition& out, const Report& report) {
  const auto add = [&](const MetricFamily& family, auto value_of) {
    out.Begin(family);
    for (const QueryReport& query : report.queries) {
      if (!query.data_files) continue;
      out.Add(FormatLabels({{"query", query.query}}), value_of(*query.data_files));
    }
  };
  add({"tidegauge_sink_scan_progress_ratio", kGauge,
       "How much of the sink's data files the running scan has looked at; 1 if none runs."},
      [](const DataFilesReport& files) { return files.progress; });
  add({"tidegauge_sink_scan_last_end_timestamp_seconds", kGauge,
       "When the last whole scan ended, in seconds since 1970; absent if none has."},
      [](const DataFilesReport& files) { return files.ended_at; });
  add({"tidegauge_sink_data_files", kGauge, "Data files that the sink's log lists."},
      [](const DataFilesReport& files) { return files.listed; });
  add({"tidegauge_sink_data_bytes", kGauge,
       "Size of the data files that the sink's log lists, as it has it, in bytes."},
      [](const DataFilesReport& files) { return files.listed_bytes; });
  out.Begin({"tidegauge_sink_wrong_data_files", kGauge,
             "Data files that disagree with the sink's log, by state."});
  for (const QueryReport& query : report.queries) {
    if (!query.data_files) continue;
    AddState(out, query, "missing", query.data_files->missing);
    AddState(out, query, "truncated", query.data_files->truncated);
    AddState(out, query, "outside_root", query.data_files->outside_root);
    AddState(out, query, "orphan", query.data_files->orphans);
  }
}

}  // namespace tidegauge
