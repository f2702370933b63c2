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
  if (!finding.key.log.empty()) return LogRemediesFor(finding, context);
  auto remedies = KafkaRemediesFor(finding, context);
  return remedies.empty() ? CheckpointRemediesFor(finding, context) : remedies;
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
  for (const Finding& finding : input.findings) {
    plan.findings.push_back({finding, RemediesFor(finding, context)});
  }
  return plan;
}

}  // namespace tidegauge
