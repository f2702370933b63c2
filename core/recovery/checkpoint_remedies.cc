// Remedies of a checkpoint that is damaged itself.
#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <fmt/core.h>

#include "core/recovery/remedies.h"

namespace tidegauge {
namespace {

PlanStep KeepAllOfIt(const PlanContext& context) {
  const Site& site = context.input.site;
  return {.what = "Keep a copy of what is left.", .commands = site.BackUp({site.InCheckpoint("")})};
}

Remedy Restore(const PlanContext& context) {
  return {.id = "restore",
          .title = "Put back what is missing, from a snapshot or backup",
          .cost =
              "Nothing, if it is of the same moment as the rest. An older state of the whole "
              "checkpoint is read and written again from there, and a file sink drops the "
              "batches that it has.",
          .steps = {StopQuery(context),
                    KeepAllOfIt(context),
                    {.what = "Put the files back under their own names. What belongs to one batch "
                             "(offsets, commits, state) must be of the same moment."},
                    CheckQuery(context)}};
}

/// A plan that was never committed may be made again.
Remedy PlanAgain(const PlanContext& context, BatchId batch) {
  const Site& site = context.input.site;
  PlanStep step{.what = fmt::format("Take the plan of batch {} out. Not if the sink has the batch "
                                    "already.",
                                    batch),
                .commands = {}};
  if (site.has_sink()) step.commands.push_back(site.List(site.InSink("_spark_metadata")));
  for (std::string& command : site.Remove(fmt::format("offsets/{}", batch))) {
    step.commands.push_back(std::move(command));
  }
  return {.id = "plan_again",
          .title = fmt::format("Let Spark plan batch {} again", batch),
          .cost =
              "A sink that already has a part of this batch, and does not know batches by their "
              "id, gets it twice.",
          .steps = {StopQuery(context), KeepAllOfIt(context), step, CheckQuery(context)}};
}

Remedy WriteId(const Finding& finding, const PlanContext& context) {
  return {
      .id = "write_id",
      .title = "Write the query's id back",
      .cost = "Nothing.",
      .steps = {StopQuery(context),
                KeepAllOfIt(context),
                {.what = fmt::format("Write the file metadata anew, one line: {{\"id\":\"…\"}}. "
                                     "The id is in the driver's log, or here: {}",
                                     finding.summary)},
                CheckQuery(context)}};
}

Remedy Accept(const Finding& finding, const PlanContext& context) {
  return {.id = "accept",
          .title = "It was meant",
          .cost = "None beyond what has happened.",
          .steps = {
              {.what = "Say so; it is then remembered as it is.",
               .commands = {fmt::format(
                   "tidegauge ack {} {} --config.file={} --why='done on purpose'", finding.key.kind,
                   Quote(finding.key.query), Quote(context.input.config_file))}}}};
}

Remedy LookAtDriver() {
  return {
      .id = "look_at_driver",
      .title = "Find out what the driver does",
      .cost = "Nothing.",
      .steps = {{.what = "Does it run? What does its log say, and which stage waits in the Spark "
                         "UI? Start it if it is gone: a batch without a commit is the normal "
                         "state after a crash."}}};
}

Remedy OneDriver(const PlanContext& context) {
  return {.id = "one_driver",
          .title = "Leave one driver",
          .cost = "What both have written is there twice.",
          .steps = {StopQuery(context),
                    {.what = "Look for the query's name and checkpoint among all running "
                             "applications, and stop those too. Start one. Give the other a "
                             "checkpoint and an output directory of its own."}}};
}

Remedy NewerProgram() {
  return {.id = "update",
          .title = "Update tidegauge, and start no older Spark on this checkpoint",
          .cost = "Nothing.",
          .steps = {{.what = "Spark of the version that wrote the file goes on as it is."}}};
}

bool IsOneOf(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

}  // namespace

std::vector<Remedy> CheckpointRemediesFor(const Finding& finding, const PlanContext& context) {
  const std::string& kind = finding.key.kind;
  if (IsOneOf(kind, {"batch_stuck", "query_stalled"})) return {LookAtDriver()};
  if (kind == "checkpoint_shared") return {OneDriver(context)};
  if (kind == "log_version_unsupported") return {NewerProgram()};
  if (kind == "query_id_missing") return {WriteId(finding, context)};
  if (kind == "query_id_changed") return {WriteId(finding, context), Accept(finding, context)};
  if (IsOneOf(kind, {"checkpoint_restarted", "checkpoint_missing"})) {
    return {Restore(context), Accept(finding, context)};
  }
  if (!IsOneOf(kind, {"offset_log_gap", "offset_log_unreadable", "commit_log_unreadable",
                      "offsets_missing", "checkpoint_empty", "source_count_changed"})) {
    return {};
  }
  std::vector<Remedy> remedies{Restore(context)};
  const QueryReport& query = context.input.query;
  const bool in_flight = finding.batch && finding.batch == query.newest_batch &&
                         query.committed_batch.value_or(-1) < *finding.batch;
  if (in_flight && IsOneOf(kind, {"offset_log_unreadable", "source_count_changed"})) {
    remedies.push_back(PlanAgain(context, *finding.batch));
  }
  remedies.push_back(NewCheckpointRemedy(context));
  return remedies;
}

}  // namespace tidegauge
