// Builds the comparison that detectors see.
#pragma once

#include <string>

#include "core/topics/comparison.h"

namespace tidegauge {

/// Holds `position` (of `checkpoint`) against `answer`. `binding` is null when the topic did not
/// answer as present. Rates are filled in from `ledger`, which must hold the samples of this poll
/// already.
TopicComparison Compare(const Checkpoint& checkpoint, const SourceTopic& position,
                        const TopicAnswer& answer, const Binding* binding,
                        const std::string& cluster_id, const Ledger& ledger,
                        const std::string& query, Time now);

/// Why `topic` could not be judged whole; empty: it could.
std::string WhyUnknown(const TopicComparison& topic);

}  // namespace tidegauge
