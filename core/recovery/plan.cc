#include "core/recovery/plan.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "core/recovery/corrections.h"
#include "core/recovery/remedies.h"

namespace tidegauge {

BatchesToCorrect FindBatchesToCorrect(const QueryReport& query) {
  if (!query.newest_batch || !query.committed_batch) return {};
  if (*query.committed_batch == *query.newest_batch) return {.change = query.newest_batch};
  if (*query.committed_batch == *query.newest_batch - 1) {
    return {.change = query.committed_batch, .remove = query.newest_batch};
  }
  return {};
}

namespace {

std::vector<Remedy> RemediesFor(const Finding& finding, const PlanContext& context) {
  const bool of_log = !finding.key.log.empty();
  auto remedies =
      of_log ? DataFileRemediesFor(finding, context) : KafkaRemediesFor(finding, context);
  if (!remedies.empty()) return remedies;
  return of_log ? LogRemediesFor(finding, context) : CheckpointRemediesFor(finding, context);
}

/// Then the sink would take the batch that is planned anew for the old one, and drop it.
bool SinkHasUnfinishedBatch(const PlanInput& input, const BatchesToCorrect& batches) {
  return batches.remove && std::ranges::any_of(input.logs, [&](const LogInput& log) {
           return log.name == "sink" && log.newest >= batches.remove;
         });
}

}  // namespace

Plan MakePlan(const PlanInput& input) {
  Plan plan{.query = input.query.query, .unknown = input.query.unknown};
  PlanContext context{.input = input,
                      .corrections = CorrectionsFor(input.findings),
                      .batches = FindBatchesToCorrect(input.query)};
  if (!context.corrections.empty() && !input.offsets_text.empty() &&
      !SinkHasUnfinishedBatch(input, context.batches)) {
    auto corrected = CorrectOffsets(input.offsets_text, context.corrections);
    if (corrected) {
      context.can_correct = true;
      plan.files.push_back({CorrectedFileName(context), std::move(*corrected)});
    } else {
      plan.unknown.push_back(
          fmt::format("{}: {}", CorrectedFileName(context), corrected.error().message));
    }
  }
  for (const LogInput& log : input.logs) {
    if (!log.problem.empty()) {
      plan.unknown.push_back(fmt::format("the log of {}: {}", log.name, log.problem));
    }
    if (log.rebuilt) std::ranges::copy(log.rebuilt->files, std::back_inserter(plan.files));
  }
  if (!input.data_files.problem.empty()) {
    plan.unknown.push_back("the sink's log: " + input.data_files.problem);
  }
  if (!input.data_files.wrong.empty()) {
    plan.files.push_back({std::string(kEntriesToTakeOut), input.data_files.entries});
  }
  if (!input.data_files.outside.empty()) {
    plan.files.push_back({std::string(kNewPaths), input.data_files.new_paths});
  }
  for (const Finding& finding : input.findings) {
    plan.findings.push_back({finding, RemediesFor(finding, context)});
  }
  return plan;
}

}  // namespace tidegauge
