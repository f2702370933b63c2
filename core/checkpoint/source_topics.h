// From source lines to topics: which lines are one source, and what each topic is called in
// findings.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/checkpoint/offset_log.h"
#include "core/checkpoint/snapshot.h"

namespace tidegauge {

/// Topics that two sources of the query read separately; their entries carry the source's id.
/// Lines stand for occurrences, directories for sources: a self-union writes its line twice but has
/// one directory, and is one source.
std::set<std::string> SeparatelyReadTopics(const OffsetLogEntry& entry,
                                           std::size_t source_directories);

/// The topics of `entry` (batch `batch`), each once a source, ordered by topic and source.
std::vector<SourceTopic> TopicsOf(const OffsetLogEntry& entry, BatchId batch,
                                  const std::set<std::string>& separately_read);

}  // namespace tidegauge
