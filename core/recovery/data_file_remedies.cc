// Remedies of what a scan of the sink's data files found.
#include <map>
#include <ranges>

#include <fmt/core.h>

#include "core/recovery/remedies.h"

namespace tidegauge {
namespace {

constexpr std::size_t kMostShown = 20;

Remedy RestoreFiles(const Finding& finding, const PlanContext& context) {
  const Site& site = context.input.site;
  PlanStep bring{.what = fmt::format(
                     "Bring them back under {}, with the names and the content they had: from a "
                     "backup, a snapshot, the trash of HDFS (/user/*/.Trash), or an object store's "
                     "versions. Then each of these must be there:",
                     site.sink())};
  std::vector<std::string> paths;
  for (const std::string& name : finding.missing | std::views::take(kMostShown)) {
    paths.push_back(site.InSink(name));
  }
  if (!paths.empty()) bring.commands.push_back(site.List(paths));
  return {.id = "restore_files",
          .title = "Bring the data files back",
          .cost = "Nothing, if they are as they were. The query can run on meanwhile.",
          .steps = {std::move(bring), CheckQuery(context)}};
}

/// `filter` goes over the copies of the log files `names`, with the query stopped; `check` is what
/// to look at.
std::vector<PlanStep> RewriteLog(const PlanContext& context, const std::vector<std::string>& names,
                                 std::string_view filter, std::string check) {
  const Site& site = context.input.site;
  const std::string& directory = context.input.data_files.directory;
  PlanStep write{.what = std::move(check)};
  PlanStep put{.what = "Put the files in place."};
  for (const std::string& name : names) {
    const std::string copy = fmt::format("\"${{PLAN:?}}\"/backup/{}/{}", kSinkLogDirectory, name);
    write.commands.push_back(fmt::format("test -s {}", copy));
    write.commands.push_back(fmt::format("cat {} | {} > \"${{PLAN:?}}\"/{}", copy, filter, name));
    Append(put.commands, site.Put(name, fmt::format("{}/{}", directory, name)));
  }
  Append(put.commands, site.KeepOwner(directory));
  return {StopQuery(context),
          {.what = "Keep a copy of the log.", .commands = site.BackUp({directory})},
          std::move(write),
          std::move(put),
          CheckQuery(context)};
}

Remedy TakeOutEntries(const PlanContext& context) {
  // As Spark writes it, without a break at the end.
  const std::string filter =
      fmt::format("grep -vFf \"${{PLAN:?}}\"/{} | head -c -1", kEntriesToTakeOut);
  return {.id = "take_out_entries",
          .title = "Take the files out of the sink's log",
          .cost =
              "Readers through Spark no longer fail, and never see the rows of these files "
              "again. Only files that this plan names are taken out.",
          .steps = RewriteLog(context, context.input.data_files.wrong, filter,
                              "Write the log's files without those entries. Compare them: no more "
                              "may be left out than what is lost.")};
}

Remedy LetReadersPass(std::string_view setting, std::string_view what) {
  return {.id = "let_readers_pass",
          .title = "Let readers pass over them",
          .cost = fmt::format("Readers with this setting miss the rows of {}, now and whenever it "
                              "happens again, without a word.",
                              what),
          .steps = {{.what = fmt::format("In the readers' sessions:\n--conf {}=true", setting)}}};
}

std::vector<Remedy> LostDataFiles(const Finding& finding, const PlanContext& context,
                                  Remedy let_pass) {
  std::vector<Remedy> remedies{RestoreFiles(finding, context)};
  if (!context.input.data_files.wrong.empty()) remedies.push_back(TakeOutEntries(context));
  remedies.push_back(std::move(let_pass));
  return remedies;
}

Remedy MoveAway(const Finding& finding, const PlanContext& context) {
  const Site& site = context.input.site;
  std::map<std::string, std::vector<std::string>> by_folder;
  for (const std::string& name : finding.missing) {
    const std::size_t slash = name.rfind('/');
    by_folder[slash == name.npos ? "" : name.substr(0, slash)].push_back(site.InSink(name));
  }
  PlanStep copy{.what = "Copy them, folder by folder."};
  PlanStep remove{.what = "Remove them from the output."};
  for (const auto& [folder, paths] : by_folder) {
    Append(copy.commands, site.BackUp(paths, folder));
    Append(remove.commands, site.Remove(paths));
  }
  return {.id = "move_away",
          .title = "Move them away",
          .cost =
              "Whoever reads the directory itself, past the log, no longer sees their rows: "
              "right if these are twice there, a loss if another job wrote them on purpose.",
          .steps = {std::move(copy), std::move(remove), CheckQuery(context)}};
}

std::vector<Remedy> Orphans(const Finding& finding, const PlanContext& context) {
  return {{.id = "leave",
           .title = "Leave them, and read through the log",
           .cost = "They take up room.",
           .steps = {{.what = fmt::format(
                          "Nothing has to be done where all readers are Spark and read {} itself: "
                          "they go by the log. Readers of single folders or files do not.",
                          context.input.site.sink())}}},
          MoveAway(finding, context)};
}

std::vector<Remedy> Outside(const PlanContext& context) {
  std::vector<Remedy> remedies;
  if (!context.input.data_files.outside.empty()) {
    remedies.push_back(
        {.id = "new_paths",
         .title = "Write the new place into the log",
         .cost = "Nothing, if all data files were moved along. Readers of this directory then see "
                 "their rows again.",
         .steps = RewriteLog(context, context.input.data_files.outside,
                             fmt::format("sed -f \"${{PLAN:?}}\"/{}", kNewPaths),
                             "Write the log's files with the new paths. The files that they name "
                             "must be there.")});
  }
  remedies.push_back(
      {.id = "move_back",
       .title = "Move the directory back to the place that its log names",
       .cost =
           "What was written since is listed with the new place, and is what readers miss then.",
       .steps = {{.what = fmt::format("Stop query {}, move {} back, and give the query its old "
                                      "path again.",
                                      context.input.query.query, context.input.site.sink())}}});
  return remedies;
}

std::vector<Remedy> SmallFiles() {
  return {{.id = "fewer_files",
           .title = "Write fewer, larger files",
           .cost = "Rows come later.",
           .steps = {{.what = "Restart the query with a longer trigger, or with fewer partitions "
                              "before the sink: .coalesce(n)."}}},
          {.id = "pack",
           .title = "Pack the old files",
           .cost = "Readers of old rows move to the packed copy.",
           .steps = {{.what = "With a batch job, read the output through its log and write it to "
                              "another directory. Do not write into this one."}}}};
}

}  // namespace

std::vector<Remedy> DataFileRemediesFor(const Finding& finding, const PlanContext& context) {
  const std::string& kind = finding.key.kind;
  if (kind == "sink_file_missing") {
    return LostDataFiles(finding, context,
                         LetReadersPass("spark.sql.files.ignoreMissingFiles", "missing files"));
  }
  if (kind == "sink_file_truncated") {
    return LostDataFiles(finding, context,
                         LetReadersPass("spark.sql.files.ignoreCorruptFiles", "damaged files"));
  }
  if (kind == "sink_orphan_files") return Orphans(finding, context);
  if (kind == "sink_path_outside_root") return Outside(context);
  if (kind == "sink_small_files") return SmallFiles();
  return {};
}

}  // namespace tidegauge
