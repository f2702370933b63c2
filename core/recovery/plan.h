// From what was found to what can be done: the remedies of each kind, with exact commands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/plan.h"
#include "core/recovery/data_file_input.h"
#include "core/recovery/log_input.h"
#include "core/recovery/site.h"
#include "core/report.h"
#include "core/result.h"

namespace tidegauge {

/// Which file of offsets/ a correction changes, and which goes. Neither: the batches do not allow
/// one (nothing is committed, or the logs do not fit together).
struct BatchesToCorrect {
  std::optional<BatchId> change;
  std::optional<BatchId> remove;  ///< planned and not finished: a restart would run it as written
};

BatchesToCorrect FindBatchesToCorrect(const QueryReport& query);

struct PlanInput {
  QueryReport query;
  std::vector<Finding> findings;  ///< of this query, those that hold now
  Site site;
  /// `--config.file` and whatever else commands of this program need to see what this one saw, as
  /// words of a shell.
  std::string options;
  std::string remembered_query_id;  ///< empty: none is
  std::string bootstrap_servers;    ///< of the query's cluster; empty: not known
  /// The file of FindBatchesToCorrect().change; empty: there is none, or it cannot be read.
  std::string offsets_text;
  std::size_t kafka_sources = 1;
  std::vector<LogInput> logs;
  DataFileInput data_files;  ///< empty: nothing is known of the sink's data files
};

Plan MakePlan(const PlanInput& input);

}  // namespace tidegauge
