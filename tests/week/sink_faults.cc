#include <algorithm>
#include <charconv>

#include "tests/week/deeds.h"
#include "tests/week/faults.h"

namespace tidegauge::testing {
namespace {

using namespace std::chrono_literals;
using State = SimulatedQuery::State;

std::string SinkLog(Week& week, const std::string& query) {
  return week.query(query).plan().sink->directory + "/_spark_metadata";
}

/// The newest file of the sink's log, or the one `back` before it; or the same of the compact ones.
std::string SinkLogFile(Week& week, const std::string& query, bool compact = false,
                        std::size_t back = 0) {
  std::vector<std::pair<BatchId, std::string>> files;
  for (const std::string& name : NamesIn(week, SinkLog(week, query))) {
    BatchId batch = 0;
    std::from_chars(name.data(), name.data() + name.size(), batch);
    if (!compact || name.ends_with(".compact")) files.emplace_back(batch, name);
  }
  std::ranges::sort(files, std::greater<>());
  return SinkLog(week, query) + "/" + files.at(back).second;
}

std::string SomeDataFile(Week& week, const std::string& query) {
  const std::string directory = week.query(query).plan().sink->directory;
  std::vector<std::string> names = NamesIn(week, directory);
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("part-"); });
  return directory + "/" +
         names.at(
             static_cast<std::size_t>(week.dice.Below(static_cast<std::int64_t>(names.size()))));
}

}  // namespace

const std::vector<Fault> kSinkFaults{
    {"SinkLogDeleted",
     "hourly",
     {"sink_log_missing", "compaction_will_fail"},
     [](Week& week) {
       Stop(week, "hourly");
       Remove(week, SinkLog(week, "hourly"));
     },
     State::kDown},
    {"SinkLogDeleted_TheQueryRuns",
     "orders",
     {"sink_log_missing"},
     [](Week& week) { Remove(week, SinkLog(week, "orders")); },
     State::kWaiting,
     {"compaction_will_fail", "sink_log_gap", "batch_stuck"},
     {},
     {},
     true},
    {"SinkLogEmptied",
     "nightly",
     {"sink_log_missing"},
     [](Week& week) {
       Stop(week, "nightly");
       RemoveAllIn(week, SinkLog(week, "nightly"));
     },
     State::kDown,
     {"compaction_will_fail"}},
    {"SinkLogFileLost",
     "orders",
     {"compaction_will_fail", "sink_log_gap"},
     [](Week& week) { Remove(week, SinkLogFile(week, "orders")); },
     State::kWaiting,
     {"batch_stuck"},
     {},
     {},
     true},
    {"CompactFileLost",
     "hourly",
     {"compaction_will_fail"},
     [](Week& week) {
       Stop(week, "hourly");
       Remove(week, SinkLogFile(week, "hourly", true));
     },
     State::kDown,
     {"sink_log_gap", "compact_interval_changed"}},
    {"OlderCompactFileLost",
     "hourly",
     {"compact_interval_changed"},
     [](Week& week) {
       Stop(week, "hourly");
       Remove(week, SinkLogFile(week, "hourly", true, 1));
     },
     State::kDown,
     {"sink_log_gap", "compaction_will_fail"},
     {},
     {},
     true},
    {"SinkLogFileEmptied",
     "hourly",
     {"sink_log_unreadable"},
     [](Week& week) {
       Stop(week, "hourly");
       Overwrite(week, SinkLogFile(week, "hourly", true), "");
     },
     State::kDown,
     {"compaction_will_fail"}},
    {"SinkLogFileTorn",
     "nightly",
     {"sink_log_unreadable"},
     [](Week& week) { Cut(week, SinkLogFile(week, "nightly"), 0.6); },
     State::kDown,
     {"compaction_will_fail"}},
    {"DataFileLost",
     "office",
     {"sink_file_missing"},
     [](Week& week) {
       Stop(week, "office");
       Remove(week, SomeDataFile(week, "office"));
     },
     State::kWaiting,
     {"query_stalled"},
     {},
     65min},
    {"DataFileCut",
     "office",
     {"sink_file_truncated"},
     [](Week& week) {
       Stop(week, "office");
       Cut(week, SomeDataFile(week, "office"), 0.5);
     },
     State::kWaiting,
     {"query_stalled"},
     {},
     65min},
    {"DataFileOfNobody",
     "office",
     {"sink_orphan_files"},
     [](Week& week) {
       Overwrite(week, "/data/out/office/part-00000-0-c000.snappy.parquet", "PAR1");
       week.storage.SetModified("/data/out/office/part-00000-0-c000.snappy.parquet",
                                week.now() - 3h);
     },
     State::kWaiting,
     {},
     {},
     65min},
    {"SinkMoved",
     "office",
     {"sink_path_outside_root"},
     [](Week& week) {
       const std::string path = SinkLogFile(week, "office", true);
       Overwrite(week, path,
                 Replace(week.storage.TextOf(path), "/data/out/office/", "/data/before/office/"));
     },
     State::kWaiting,
     {"sink_file_missing", "sink_orphan_files"},
     {},
     65min},
};

}  // namespace tidegauge::testing
