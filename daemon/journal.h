// Says in the log what changed from one report to the next.
#pragma once

#include "core/report.h"

namespace tidegauge {

/// A line for each finding that began to fire or was resolved, each cluster that went or came back,
/// each query that can no longer, or again, be judged. Nothing for what stays as it is. `before`
/// may be null.
void LogChanges(const Report* before, const Report& now);

}  // namespace tidegauge
