// Remedies of a checkpoint that is damaged, is not what it was, or does not move.
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/core.h>

#include "core/recovery/remedies.h"

namespace tidegauge {
namespace {

using MakeRemedies = std::vector<Remedy> (*)(const Finding&, const PlanContext&);

Remedy Restore(const PlanContext& context, std::string what) {
  return {.id = "restore",
          .title = "Restore from a back-up",
          .cost =
              "Nothing, if it is of the last moment. An older checkpoint reads again what came "
              "after it; a file sink then drops the batches that it has already: see "
              "sink_ahead_of_checkpoint.",
          .steps = {StopQuery(context), {.what = std::move(what)}, CheckQuery(context)}};
}

Remedy Acknowledge(const Finding& finding, const PlanContext& context) {
  return {.id = "acknowledge",
          .title = "It was meant: say so",
          .cost = "None.",
          .steps = {{.what = "The finding ends then.",
                     .commands = {fmt::format("tidegauge ack {} {} {} --why='on "
                                              "purpose'",
                                              finding.key.kind, Quote(finding.key.query),
                                              context.input.options)}}}};
}

/// Of a file that Spark writes anew, or does not need.
Remedy TakeOut(const std::string& name, std::string why, std::string cost,
               const PlanContext& context) {
  const Site& site = context.input.site;
  PlanStep step{.what = fmt::format("Take out {}: {}", name, why)};
  Append(step.commands, site.Remove({site.InCheckpoint(name)}));
  return {.id = "take_out",
          .title = fmt::format("Take the broken file out ({})", name),
          .cost = std::move(cost),
          .steps = {StopQuery(context), KeepACopy(context), std::move(step), CheckQuery(context)}};
}

std::vector<Remedy> OffsetsUnreadable(const Finding& finding, const PlanContext& context) {
  const QueryReport& query = context.input.query;
  std::vector<Remedy> remedies;
  const bool is_unfinished = finding.batch && query.newest_batch == finding.batch &&
                             query.committed_batch == *finding.batch - 1;
  if (is_unfinished) {
    remedies.push_back(TakeOut(
        fmt::format("offsets/{}", *finding.batch),
        "the batch was not finished, and is planned anew from the position of the one before.",
        "Nothing, unless the sink has this batch already: then what is newly in it is dropped.",
        context));
  }
  remedies.push_back(
      Restore(context, "Bring back the file named above, from a back-up or snapshot."));
  remedies.push_back(NewCheckpointRemedy(context));
  return remedies;
}

std::vector<Remedy> CommitUnreadable(const Finding& finding, const PlanContext& context) {
  std::vector<Remedy> remedies;
  if (finding.batch) {
    remedies.push_back(TakeOut(
        fmt::format("commits/{}", *finding.batch),
        "Spark then takes the newest batch planned for not finished, and runs it again with the "
        "same "
        "offsets.",
        fmt::format("Batch {} is written twice by sinks that do not know repeated batches. A file "
                    "sink does.",
                    context.input.query.newest_batch.value_or(*finding.batch)),
        context));
  }
  remedies.push_back(
      Restore(context, "Bring back the file named above, from a back-up or snapshot."));
  return remedies;
}

/// offsets/(L-1) is only asked whether it is there when batch L is finished
/// (MicroBatchExecution.populateStartOffsets).
std::vector<Remedy> OffsetsLost(const Finding& finding, const PlanContext& context) {
  const QueryReport& query = context.input.query;
  const Site& site = context.input.site;
  std::vector<Remedy> remedies{
      Restore(context, "Bring back the offsets file named above, from a back-up or snapshot.")};
  if (finding.batch && query.newest_batch == query.committed_batch &&
      query.newest_batch == *finding.batch + 1) {
    PlanStep copy{.what =
                      fmt::format("Batch {} is finished, so that Spark asks only whether the one "
                                  "before is there: a copy serves.",
                                  *query.newest_batch)};
    const std::string lost = site.InCheckpoint(fmt::format("offsets/{}", *finding.batch));
    copy.commands =
        site.Copy(site.InCheckpoint(fmt::format("offsets/{}", *query.newest_batch)), lost);
    Append(copy.commands, site.KeepOwner(lost));
    remedies.push_back(
        {.id = "copy_newest",
         .title = "Put a copy of the newest offsets file in its place",
         .cost = "Nothing.",
         .steps = {StopQuery(context), KeepACopy(context), std::move(copy), CheckQuery(context)}});
  }
  remedies.push_back(NewCheckpointRemedy(context));
  return remedies;
}

std::vector<Remedy> TooNew(const Finding& /*finding*/, const PlanContext& context) {
  return {{.id = "newer_spark",
           .title = "Run the query with the Spark that wrote the file, or a newer one",
           .cost = "None. An older one refuses to start.",
           .steps = {{.what = "Undo the downgrade. If the query runs well, tidegauge is too old: "
                              "upgrade it."}}},
          NewCheckpointRemedy(context)};
}

std::vector<Remedy> IdMissing(const Finding& /*finding*/, const PlanContext& context) {
  const Site& site = context.input.site;
  std::vector<Remedy> remedies;
  if (!context.input.remembered_query_id.empty()) {
    PlanStep write{
        .what = "Write the id that the query had.",
        .commands = site.Write(fmt::format(R"({{"id":"{}"}})", context.input.remembered_query_id),
                               site.InCheckpoint("metadata"))};
    Append(write.commands, site.KeepOwner(site.InCheckpoint("metadata")));
    remedies.push_back({.id = "write_id",
                        .title = "Put the remembered id back",
                        .cost = "None: sinks that know repeated batches by it go on as before.",
                        .steps = {StopQuery(context), std::move(write), CheckQuery(context)}});
  }
  remedies.push_back(Restore(context, "Bring back the file metadata, from a back-up or snapshot."));
  return remedies;
}

std::vector<Remedy> Replaced(const Finding& finding, const PlanContext& context) {
  return {Restore(context, "Bring back the checkpoint that was here, whole."),
          Acknowledge(finding, context)};
}

std::vector<Remedy> Gone(const Finding& /*finding*/, const PlanContext& context) {
  return {Restore(context,
                  "Bring back the checkpoint whole: offsets, commits, metadata, sources and "
                  "state belong together."),
          NewCheckpointRemedy(context)};
}

std::vector<Remedy> SourcesChanged(const Finding& /*finding*/, const PlanContext& context) {
  return {
      {.id = "old_query",
       .title = "Run the query with the sources it had, in the same order",
       .cost = "None. Spark tells sources apart by their place.",
       .steps = {{.what = "Undo the change of the query, or give the changed one a checkpoint of "
                          "its own."}}},
      NewCheckpointRemedy(context)};
}

std::vector<Remedy> Shared(const Finding& /*finding*/, const PlanContext& context) {
  return {{.id = "one_driver",
           .title = "Let one driver run",
           .cost = "Batches that both wrote may be there twice.",
           .steps = {{.what = fmt::format(
                          "Find every driver of query {} (a second cluster, a notebook, a "
                          "scheduler that starts it before the first has ended), and "
                          "end all but one.",
                          context.input.query.query)},
                     CheckQuery(context)}}};
}

std::vector<Remedy> Standing(const Finding& /*finding*/, const PlanContext& context) {
  return {
      {.id = "look_at_driver",
       .title = "Look at the driver, then restart the query",
       .cost = "The batch in flight is run again with the same offsets.",
       .steps = {{.what = "In the driver's log and the Spark UI: is there a job running, an "
                          "exception, a lost executor, a sink that does not answer? A dump of the "
                          "driver's threads shows what it waits for."},
                 {.what = "Restart the query."},
                 CheckQuery(context)}}};
}

const std::map<std::string, MakeRemedies, std::less<>>& Kinds() {
  static const std::map<std::string, MakeRemedies, std::less<>> kKinds = {
      {"offset_log_unreadable", OffsetsUnreadable},
      {"commit_log_unreadable", CommitUnreadable},
      {"offset_log_gap", OffsetsLost},
      {"log_version_unsupported", TooNew},
      {"query_id_missing", IdMissing},
      {"query_id_changed", Replaced},
      {"checkpoint_restarted", Replaced},
      {"checkpoint_missing", Gone},
      {"checkpoint_empty", Gone},
      {"offsets_missing", Gone},
      {"source_count_changed", SourcesChanged},
      {"checkpoint_shared", Shared},
      {"batch_stuck", Standing},
      {"query_stalled", Standing},
  };
  return kKinds;
}

}  // namespace

std::vector<Remedy> CheckpointRemediesFor(const Finding& finding, const PlanContext& context) {
  const auto kind = Kinds().find(finding.key.kind);
  return kind == Kinds().end() ? std::vector<Remedy>() : kind->second(finding, context);
}

}  // namespace tidegauge
