#include "core/recovery/remedies.h"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "core/recovery/corrections.h"

namespace tidegauge {

std::string CorrectedFileName(const PlanContext& context) {
  return fmt::format("offsets/{}", *context.batches.change);
}

void Append(std::vector<std::string>& commands, std::vector<std::string> more) {
  std::ranges::move(more, std::back_inserter(commands));
}

PlanStep StopQuery(const PlanContext& context) {
  const Site& site = context.input.site;
  const QueryReport& query = context.input.query;
  PlanStep step{
      .what = fmt::format("Stop query {}, and whatever would start it again. Look twice, a "
                          "minute apart: no new file may appear.",
                          query.query),
      .commands = {site.List({site.InCheckpoint("offsets"), site.InCheckpoint("commits")})}};
  if (!query.newest_batch) return step;
  step.what += fmt::format(
      " The newest must be offsets/{}{}, as when this plan was made; if not, "
      "make it again.",
      *query.newest_batch,
      query.committed_batch ? fmt::format(" and commits/{}", *query.committed_batch)
                            : " and nothing in commits");
  const auto later = [&](std::string_view log, BatchId batch) {
    Append(step.commands, site.MustNotExist(site.InCheckpoint(fmt::format("{}/{}", log, batch))));
  };
  later("offsets", *query.newest_batch + 1);
  later("commits", query.committed_batch.value_or(-1) + 1);
  return step;
}

PlanStep KeepACopy(const PlanContext& context) {
  const Site& site = context.input.site;
  return {.what = "Keep a copy.",
          .commands = site.BackUp({site.InCheckpoint("offsets"), site.InCheckpoint("commits"),
                                   site.InCheckpoint("metadata")})};
}

PlanStep CheckQuery(const PlanContext& context) {
  return {.what =
              "Check: the finding must be gone, and the position be what you expect. Then start "
              "the query and watch for the first new file in commits.",
          .commands = {fmt::format("tidegauge check {} --query={}", context.input.options,
                                   Quote(context.input.query.query))}};
}

Remedy CorrectOffsetsRemedy(const PlanContext& context, std::string cost) {
  const Site& site = context.input.site;
  Remedy remedy{.id = "correct_offsets",
                .title = "Correct the offsets in the checkpoint",
                .cost = std::move(cost)};
  remedy.steps = {StopQuery(context), KeepACopy(context)};
  if (context.batches.remove) {
    const std::string name = fmt::format("offsets/{}", *context.batches.remove);
    PlanStep step{.what =
                      fmt::format("Batch {} was planned and not finished: take it out, or it is "
                                  "run again with the ends written there.",
                                  *context.batches.remove)};
    if (!site.has_sink()) {
      step.what += " Not if the sink remembers batch ids and has this one already.";
    }
    Append(step.commands, site.Remove({site.InCheckpoint(name)}));
    remedy.steps.push_back(std::move(step));
  }
  const std::string file = CorrectedFileName(context);
  PlanStep put{.what =
                   "Put the corrected file in place. Only the numbers of the topics concerned "
                   "differ.",
               .commands = site.Put(file, site.InCheckpoint(file))};
  Append(put.commands, site.KeepOwner(site.InCheckpoint(file)));
  remedy.steps.push_back(std::move(put));
  remedy.steps.push_back(CheckQuery(context));
  return remedy;
}

namespace {

std::string StartAnew(const PlanContext& context) {
  const std::string offsets = StartingOffsets(context.input.query, context.corrections);
  if (offsets.empty()) {
    return "Start it with a new checkpointLocation. Where it had been is not known: choose "
           "startingOffsets (earliest, or JSON) or startingTimestamp.";
  }
  std::string what = "Start it with a new checkpointLocation and";
  if (context.input.kafka_sources > 1) {
    what += " (each source with its own topics only: Spark wants exactly those)";
  }
  return fmt::format("{}\n.option(\"startingOffsets\", \"\"\"{}\"\"\")", what, offsets);
}

}  // namespace

Remedy NewCheckpointRemedy(const PlanContext& context) {
  Remedy remedy{
      .id = "new_checkpoint",
      .title = "Give the query a new checkpoint",
      .cost =
          "The query's state (aggregations, joins, deduplication) is lost. A file sink needs a "
          "new output directory too: batch ids begin at 0 again, and Spark drops each batch "
          "whose id _spark_metadata has already, in silence."};
  remedy.steps = {
      {.what = fmt::format("Stop query {}.", context.input.query.query)},
      {.what = StartAnew(context)},
      {.what = "Tell tidegauge.yaml the new directory, unless a pattern finds it. Keep the old one "
               "until all is well."}};
  return remedy;
}

Remedy GoOnRemedy(const PlanContext& context, std::string cost) {
  return {.id = "go_on",
          .title = "Restart once with failOnDataLoss=false",
          .cost = std::move(cost),
          .steps = {{.what = fmt::format("Start query {} with failOnDataLoss=false until it has "
                                         "committed a batch, then restart it without.",
                                         context.input.query.query)},
                    CheckQuery(context)}};
}

}  // namespace tidegauge
