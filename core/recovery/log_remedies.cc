// Remedies of compactible logs: `_spark_metadata` of a file sink, sources/K of a file source.
#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/recovery/remedies.h"

namespace tidegauge {
namespace {

const LogInput* FindLog(const Finding& finding, const PlanContext& context) {
  const auto log = std::ranges::find(context.input.logs, finding.key.log, &LogInput::name);
  return log == context.input.logs.end() ? nullptr : &*log;
}

PlanStep KeepTheLog(const LogInput& log, const PlanContext& context) {
  PlanStep step{.what = "Keep a copy of what is left."};
  if (log.exists) step.commands = context.input.site.BackUp({log.directory});
  return step;
}

PlanStep MakeRoom(const LogInput& log, const PlanContext& context) {
  return {.what = "The directory.", .commands = {context.input.site.MakeDirectory(log.directory)}};
}

PlanStep HandOver(const LogInput& log, const PlanContext& context) {
  return {.what = "The query's user must be able to read, and later to delete, what was made.",
          .commands = {context.input.site.GiveToOwner(log.directory)}};
}

/// Nothing that is left tells how Spark names this HDFS.
bool LacksAuthority(const RebuiltLog& rebuilt) { return rebuilt.root.starts_with("hdfs:///"); }

PlanStep NameHdfs(const RebuiltLog& rebuilt) {
  std::vector<std::string> names;
  names.reserve(rebuilt.files.size());
  for (const PlanFile& file : rebuilt.files) names.push_back(file.name);
  return {.what =
              "Spark reads a full URI only. Where the query's path names another HDFS than the "
              "default of the command below (hdfs://other/out), put that in its place.",
          .commands = Site::NameHdfs(names)};
}

std::string PathIn(const LogInput& log, std::string_view name) {
  return fmt::format("{}/{}", log.directory, name);
}

Remedy Restore(const LogInput& log, const PlanContext& context) {
  const Site& site = context.input.site;
  return {
      .id = "restore",
      .title = "Restore the lost files",
      .cost = "Nothing, if they are as they were.",
      .steps = {StopQuery(context),
                {.what = fmt::format("Bring back {} into {}: from a backup, a snapshot, the trash "
                                     "of HDFS (/user/*/.Trash), or an object store's versions.",
                                     fmt::join(log.lost, ", "), log.directory),
                 .commands = {site.List({log.directory})}},
                CheckQuery(context)}};
}

Remedy Rebuild(const LogInput& log, const PlanContext& context) {
  const Site& site = context.input.site;
  Remedy remedy{
      .id = "rebuild",
      .title = "Make the lost files again from the data files",
      .cost = fmt::format(
          "Readers see all rows again: {} data files that no remaining log file lists are listed. "
          "Among them may be files of failed attempts, whose rows then come twice, and files that "
          "the sink's retention had dropped. They are named {}/…: that must be how Spark names the "
          "directory.",
          log.rebuilt->listed, log.rebuilt->root)};
  remedy.steps = {StopQuery(context), KeepTheLog(log, context), MakeRoom(log, context)};
  if (LacksAuthority(*log.rebuilt)) remedy.steps.push_back(NameHdfs(*log.rebuilt));
  PlanStep put{.what =
                   "Put the files in place; remove lines from the first one before, if you know "
                   "data files that must not be read."};
  for (const PlanFile& file : log.rebuilt->files) {
    Append(put.commands, site.Put(file.name, site.InSink(file.name)));
  }
  remedy.steps.push_back(std::move(put));
  remedy.steps.push_back(HandOver(log, context));
  remedy.steps.push_back(CheckQuery(context));
  return remedy;
}

Remedy StandIns(const LogInput& log, const PlanContext& context) {
  const Site& site = context.input.site;
  Remedy remedy{
      .id = "stand_ins",
      .title = "Put files without entries in the place of the lost ones",
      .cost =
          log.name == "sink"
              ? "The query runs on. Rows that the lost files listed stay invisible to readers "
                "through Spark, although their data files are there."
              : "The query runs on. Input files that the lost files listed count as new, and are "
                "read again while they are in the input directory."};
  remedy.steps = {StopQuery(context), KeepTheLog(log, context), MakeRoom(log, context)};
  PlanStep write{.what = "The names matter: 9.compact is not 9."};
  for (const std::string& name : log.lost) {
    Append(write.commands, site.Write("v1", PathIn(log, name)));
  }
  remedy.steps.push_back(std::move(write));
  remedy.steps.push_back(HandOver(log, context));
  remedy.steps.push_back(CheckQuery(context));
  return remedy;
}

std::string IntervalSetting(const LogInput& log, std::int64_t interval) {
  return fmt::format("--conf spark.sql.streaming.{}.log.compactInterval={}",
                     log.name == "sink" ? "fileSink" : "fileSource", interval);
}

Remedy Defer(const Finding& finding, const LogInput& log) {
  // Far enough for a week of batches a second; the compaction then needs the same files still.
  constexpr int kInterval = 1'000'000;
  return {
      .id = "defer",
      .title = "Put off the compaction",
      .cost = fmt::format("Nothing is mended: readers fail as before, and so will the compaction "
                          "at batch {}. Every batch and every reader lists one more file until "
                          "then.",
                          kInterval - 1),
      .steps = {{.what = fmt::format(
                     "Restart the query with this setting, which counts as long as the log has no "
                     ".compact file. Batch {} then is no compaction.\n{}",
                     finding.batch.value_or(0), IntervalSetting(log, kInterval))}}};
}

Remedy FitInterval(const LogInput& log, const PlanContext& context) {
  return {.id = "fit_interval",
          .title = "Set the interval back",
          .cost = "Nothing: every batch has its file. It is the interval that does not fit them.",
          .steps = {{.what = fmt::format(
                         "Restart the query with the interval that it had before, or with this "
                         "one, by which the first compaction is still to come. Tell tidegauge.yaml "
                         "(compact_interval).\n{}",
                         IntervalSetting(log, *log.fitting_interval))},
                    CheckQuery(context)}};
}

std::vector<Remedy> LostFiles(const Finding& finding, const LogInput& log,
                              const PlanContext& context) {
  std::vector<Remedy> remedies;
  if (log.lost.empty()) return remedies;
  remedies.push_back(log.fitting_interval ? FitInterval(log, context) : Restore(log, context));
  if (log.rebuilt) remedies.push_back(Rebuild(log, context));
  remedies.push_back(StandIns(log, context));
  if (finding.batch && !log.has_compacts && !log.fitting_interval)
    remedies.push_back(Defer(finding, log));
  return remedies;
}

Remedy NewOutput(const PlanContext& context) {
  return {.id = "new_output",
          .title = "Give the query a new output directory",
          .cost =
              "Readers have two directories to read. Batches that were dropped in silence already "
              "are not in either: read them again with a batch job, or begin from earlier "
              "startingOffsets.",
          .steps = {{.what = fmt::format("Stop query {}, give it a new output path, start it. Tell "
                                         "tidegauge.yaml (sink).",
                                         context.input.query.query)}}};
}

/// Takes the batches out of the log that the checkpoint has not reached.
Remedy SetBack(const LogInput& log, const PlanContext& context) {
  const Site& site = context.input.site;
  Remedy remedy{.id = "set_back",
                .title = "Take the batches out of the log that the checkpoint has not reached",
                .cost =
                    "The query runs those batches again and writes their rows anew; what it wrote "
                    "for them before is no longer seen by readers through Spark, but by all "
                    "others. Right only when this checkpoint is an older state of the same query."};
  remedy.steps = {StopQuery(context), KeepTheLog(log, context)};
  std::vector<std::string> beyond;
  beyond.reserve(log.beyond.size());
  for (const std::string& name : log.beyond) beyond.push_back(PathIn(log, name));
  remedy.steps.push_back({.what = "Remove them.", .commands = site.Remove(beyond)});
  remedy.steps.push_back(CheckQuery(context));
  return remedy;
}

std::vector<Remedy> Ahead(const LogInput& log, const PlanContext& context) {
  std::vector<Remedy> remedies{
      {.id = "restore_checkpoint",
       .title = "Bring back the checkpoint that belongs to this output",
       .cost = "Nothing, if it is the last one.",
       .steps = {
           StopQuery(context),
           {.what = "Put the old checkpoint in its place, or point checkpointLocation to it. If "
                    "another query writes to this directory, give one of them its own."},
           CheckQuery(context)}}};
  if (!log.beyond.empty()) remedies.push_back(SetBack(log, context));
  remedies.push_back(NewOutput(context));
  return remedies;
}

std::vector<Remedy> Large() {
  return {
      {.id = "retention",
       .title = "Let the sink forget old files",
       .cost = "Readers through Spark no longer see data files older than this. The files stay.",
       .steps = {{.what = "Restart the query with the sink option (Spark 3.1 and later)\n"
                          ".option(\"retention\", \"90d\")"}}},
      {.id = "table_format",
       .title = "Write to a table format instead",
       .cost = "Readers must move too.",
       .steps = {{.what = "Delta and Iceberg keep a log that does not grow with all files ever "
                          "written."}}}};
}

std::vector<Remedy> IntervalChanged(const Finding& finding) {
  return {{.id = "keep_interval",
           .title = "Nothing has to be done",
           .cost = "The rhythm of compactions changes at the restart.",
           .steps = {{.what = finding.summary}}}};
}

}  // namespace

std::vector<Remedy> LogRemediesFor(const Finding& finding, const PlanContext& context) {
  const LogInput* log = FindLog(finding, context);
  if (log == nullptr) return {};
  if (finding.key.kind == "sink_ahead_of_checkpoint") return Ahead(*log, context);
  if (finding.key.kind == "compact_log_large") return Large();
  if (finding.key.kind == "compact_interval_changed") return IntervalChanged(finding);
  return LostFiles(finding, *log, context);
}

}  // namespace tidegauge
