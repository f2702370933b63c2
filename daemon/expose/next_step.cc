#include "daemon/expose/next_step.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tidegauge {
namespace {

using Step = std::pair<std::string_view, std::string_view>;

// What Spark does in each case, with failOnDataLoss and without: docs/checkpoint_format.md.
constexpr std::array<Step, 37> kSteps{{
    {"topic_recreated",
     "Stop the query. To read the new topic from its start, give the query a new checkpoint and "
     "startingOffsets=earliest (a file sink then needs a new output directory too)."},
    {"records_skipped",
     "Read the offsets named here with a batch job while Kafka still has them, then say so: "
     "tidegauge ack."},
    {"end_below_checkpoint",
     "Check that this is the right cluster, and whether the topic was truncated or recreated, "
     "before the query is restarted: it fails, or with failOnDataLoss=false skips what is "
     "written next."},
    {"topic_missing",
     "Find out who deleted the topic. If it must be recreated, stop the query first: its "
     "checkpoint will not fit the new topic."},
    {"partition_missing",
     "Kafka never removes partitions: find out whether the topic was recreated with fewer, or "
     "whether this is another cluster."},
    {"records_expired",
     "Raise the topic's retention now, so that no more is lost, and fetch the missing records "
     "from where they came from. A restart fails unless failOnDataLoss=false."},
    {"retention_headroom_low",
     "Raise the topic's retention, or make the query faster, before the time named here."},
    {"new_partition_not_from_start",
     "Raise the topic's retention now, and fetch the partition's first records from where they "
     "came from. The query fails unless failOnDataLoss=false."},
    {"cluster_changed",
     "Check bootstrap_servers, here and in the query. Do not restart the query against this "
     "cluster with this checkpoint."},
    {"source_offsets_empty",
     "Stop the query and look at the batch named here beside the one before it: a restart takes "
     "the source for new."},
    {"partition_dropped",
     "Find out whether the topic was recreated with fewer partitions, or was edited out of the "
     "checkpoint. Partitions that come back are read from their start."},
    {"sink_log_missing",
     "Stop the query. Put _spark_metadata back from a back-up, or rebuild it, before the query "
     "runs on; never delete only the checkpoint."},
    {"sink_log_gap",
     "Put the missing files back under exactly these names, from a back-up, or rebuild them: "
     "until then readers through Spark fail or miss rows."},
    {"compaction_will_fail",
     "Put the missing files back under exactly these names before that batch. If there is no "
     "back-up, a file that holds only v1 lets the query go on, but readers lose what it listed."},
    {"sink_log_unreadable",
     "Replace the file from a back-up, under the same name, before the next compaction; see the "
     "page for what a file of v1 alone costs."},
    {"sink_ahead_of_checkpoint",
     "Stop the query now: what it reads is not written. Restore the checkpoint that belongs to "
     "this directory, or write to a new directory with a new checkpoint."},
    {"compact_log_large",
     "Set the sink's retention option, which drops old entries at the next compaction, or move to "
     "a table format, before the driver runs out of memory."},
    {"compact_interval_changed",
     "Nothing to do now. Expect the next compaction at the batch named here, and restore any "
     "compact file that was deleted."},
    {"sink_file_missing",
     "Put the files back, from a back-up, a snapshot or the trash, with the names they had. Find "
     "what deletes them: a clean-up job, a lifecycle rule."},
    {"sink_file_truncated",
     "Put the files back whole from a back-up. What wrote over them must not write here."},
    {"sink_orphan_files",
     "Nothing, where readers go through the log. Else move the files away, once you know that no "
     "other job means to write them."},
    {"sink_path_outside_root",
     "Write the new place into the log, with the query stopped: readers through Spark pass over "
     "what it lists elsewhere."},
    {"sink_small_files",
     "Write fewer, larger files: a longer trigger, coalesce before the sink. Pack the old ones "
     "with a batch job into another directory."},
    {"offset_log_gap",
     "Do not restart the query. Put the missing file back from a backup or a snapshot first."},
    {"offset_log_unreadable",
     "Do not restart the query. Put the file back from a backup; if it is the newest and not "
     "committed, move it away instead."},
    {"commit_log_unreadable",
     "Write the commit anew (two lines, see the page of this kind) before the query is restarted."},
    {"log_version_unsupported",
     "Do not start an older Spark on this checkpoint, and update tidegauge."},
    {"offsets_missing",
     "Stop the query. Put offsets back from a backup together with commits, or start with a new "
     "checkpoint."},
    {"query_id_missing",
     "Write the file back before the query is restarted, with the id named here."},
    {"query_id_changed",
     "If the file was lost, stop the query and write the old id back. If a new checkpoint was "
     "meant: "
     "tidegauge ack."},
    {"checkpoint_restarted",
     "Find out who set the checkpoint back. What was written since is written again, or dropped by "
     "a file sink. If it was meant: tidegauge ack."},
    {"checkpoint_missing",
     "Put the directory back from a backup before the query is restarted. If the query was "
     "retired: "
     "tidegauge ack."},
    {"checkpoint_empty", "Put the directory back from a backup before the query is restarted."},
    {"source_count_changed",
     "Do not restart the query. Put the batch file back as it was; its sources must be those of "
     "the "
     "batch before."},
    {"checkpoint_shared",
     "Find the second driver and stop it. Give each query a checkpoint of its own."},
    {"batch_stuck", "Look at the driver: is it running, and what does its batch wait for?"},
    {"query_stalled", "Look whether the query still runs. Some endings raise no alarm in Spark."},
}};

}  // namespace

std::string_view NextStep(std::string_view kind) {
  const auto* step = std::ranges::find(kSteps, kind, &Step::first);
  if (step != kSteps.end()) return step->second;
  return "Read the page of this kind in docs/detectors.";
}

}  // namespace tidegauge
