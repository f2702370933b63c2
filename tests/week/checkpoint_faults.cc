#include <string_view>

#include <fmt/core.h>

#include "tests/support/fake_checkpoint.h"
#include "tests/week/deeds.h"
#include "tests/week/faults.h"

namespace tidegauge::testing {
namespace {

using namespace std::chrono_literals;
using State = SimulatedQuery::State;

/// Spark up to 3.2 (SPARK-41375): a batch whose source has no partition any more.
void EmptyOffsets(Week& week, const std::string& query) {
  const std::string plan = week.storage.TextOf(InLog(week, query, "offsets"));
  const std::string line = OffsetLine(week.query(query).from(0));
  Overwrite(week, InLog(week, query, "offsets", -1), Replace(plan, line, "{}"));
  Overwrite(week, InLog(week, query, "commits", -1), "v1\n{\"nextBatchWatermarkMs\":0}");
}

/// Both drivers planned the batch; the second one's plan replaced the first one's.
void PlanAgain(Week& week, const std::string& query) {
  const std::string path = InLog(week, query, "offsets");
  std::string plan = week.storage.TextOf(path);
  constexpr std::string_view kField = "\"batchTimestampMs\":";
  const std::size_t at = plan.find(kField) + kField.size();
  plan.replace(at, plan.find(',', at) - at,
               fmt::format("{}", week.now().time_since_epoch().count()));
  Overwrite(week, path, std::move(plan));
}

/// An older copy of the checkpoint is put back.
void SetBack(Week& week, const std::string& query, BatchId batches) {
  for (BatchId back = 0; back < batches; ++back) {
    Remove(week, InLog(week, query, "offsets", back));
    Remove(week, InLog(week, query, "commits", back));
  }
}

}  // namespace

const std::vector<Fault> kCheckpointFaults{
    {"OffsetsTorn",
     "joined",
     {"offset_log_unreadable"},
     [](Week& week) {
       Stop(week, "joined");
       Cut(week, InLog(week, "joined", "offsets"), 0.5);
     }},
    {"OffsetsEmptied",
     "office",
     {"offset_log_unreadable"},
     [](Week& week) {
       Stop(week, "office");
       Overwrite(week, InLog(week, "office", "offsets"), "");
     }},
    {"OffsetsOfARunningBatchTorn",
     "orders",
     {"offset_log_unreadable"},
     [](Week& week) {
       Stop(week, "orders");
       Cut(week, InLog(week, "orders", "offsets", -1), 0.9);
     },
     State::kRunning,
     {"batch_stuck"},
     {},
     60s},
    {"OffsetsBeforeTheNewestLost",
     "orders",
     {"offset_log_gap"},
     [](Week& week) {
       Stop(week, "orders");
       Remove(week, InLog(week, "orders", "offsets", 1));
     }},
    {"NewestOffsetsLost",
     "joined",
     {"offset_log_gap"},
     [](Week& week) {
       Stop(week, "joined");
       Remove(week, InLog(week, "joined", "offsets"));
     },
     State::kWaiting,
     {"checkpoint_restarted"}},
    {"AllOffsetsLost",
     "office",
     {"offsets_missing"},
     [](Week& week) {
       Stop(week, "office");
       RemoveAllIn(week, CheckpointFile(week, "office", "offsets"));
     },
     State::kWaiting,
     {"sink_ahead_of_checkpoint", "records_expired"}},
    {"SourceEmptied",
     "clicks",
     {"source_offsets_empty"},
     [](Week& week) {
       Stop(week, "clicks");
       EmptyOffsets(week, "clicks");
     }},
    {"CommitTorn",
     "joined",
     {"commit_log_unreadable"},
     [](Week& week) {
       Stop(week, "joined");
       Cut(week, InLog(week, "joined", "commits"), 0.4);
     }},
    {"CommitEmptied",
     "nightly",
     {"commit_log_unreadable"},
     [](Week& week) { Overwrite(week, InLog(week, "nightly", "commits"), ""); },
     State::kDown},
    {"NewerVersion",
     "clicks",
     {"log_version_unsupported"},
     [](Week& week) {
       Stop(week, "clicks");
       const std::string path = InLog(week, "clicks", "offsets");
       Overwrite(week, path, "v9" + week.storage.TextOf(path).substr(2));
     }},
    {"SourceLineLost",
     "joined",
     {"source_count_changed"},
     [](Week& week) {
       Stop(week, "joined");
       const std::string path = InLog(week, "joined", "offsets");
       const std::string text = week.storage.TextOf(path);
       Overwrite(week, path, text.substr(0, text.rfind('\n')));
     }},
    {"MetadataDeleted",
     "clicks",
     {"query_id_missing"},
     [](Week& week) { Remove(week, CheckpointFile(week, "clicks", "metadata")); }},
    {"MetadataDeleted_TheQueryIsRestarted",
     "orders",
     {"query_id_changed"},
     [](Week& week) {
       Remove(week, CheckpointFile(week, "orders", "metadata"));
       week.query("orders").Kill(week.storage, week.now(), week.now() + 5s);
     },
     State::kWaiting,
     {},
     {},
     30s},
    {"CheckpointDeleted",
     "hourly",
     {"checkpoint_missing"},
     [](Week& week) {
       Stop(week, "hourly");
       Remove(week, week.query("hourly").checkpoint());
     },
     State::kDown},
    {"CheckpointEmptied",
     "clicks",
     {"checkpoint_empty"},
     [](Week& week) {
       Stop(week, "clicks");
       RemoveAllIn(week, week.query("clicks").checkpoint());
     }},
    {"CheckpointDeleted_TheQueryIsRestarted",
     "orders",
     {"query_id_changed", "sink_ahead_of_checkpoint", "checkpoint_restarted"},
     [](Week& week) {
       Remove(week, week.query("orders").checkpoint());
       week.query("orders").Kill(week.storage, week.now(), week.now() + 5s);
     },
     State::kWaiting,
     {"checkpoint_missing", "records_expired", "batch_stuck"},
     {},
     2min},
    {"OlderCopyPutBack",
     "orders",
     {"checkpoint_restarted", "sink_ahead_of_checkpoint"},
     [](Week& week) {
       Stop(week, "orders");
       SetBack(week, "orders", 20);
     }},
    {"TwoDrivers",
     "clicks",
     {"checkpoint_shared"},
     [](Week& week) {
       Stop(week, "clicks");
       PlanAgain(week, "clicks");
     },
     State::kWaiting,
     {},
     {},
     {},
     true},
    {"BatchStuck",
     "orders",
     {"batch_stuck"},
     [](Week& week) { week.query("orders").SetDuration(90h, 91h); },
     State::kWaiting,
     {},
     {},
     100min},
    {"Stalled",
     "orders",
     {"query_stalled"},
     [](Week& week) { Stop(week, "orders"); },
     State::kWaiting,
     {},
     {},
     100min},
    {"StalledWithAShortRetention",
     "clicks",
     {"retention_headroom_low"},
     [](Week& week) { Stop(week, "clicks"); },
     State::kWaiting,
     {"query_stalled", "records_expired"},
     {},
     190min,
     true},
};

}  // namespace tidegauge::testing
