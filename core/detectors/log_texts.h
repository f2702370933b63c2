// The phrases that findings about compactible logs share, and the messages that Spark gives.
#pragma once

#include <string>

#include "core/topics/comparison.h"

namespace tidegauge {

/// "0", "0 and 1", "0, 1 and 2", "12 files (0, 1, 2, …)".
std::string NameFiles(const LackingFiles& files);

/// "the sink's log", "the log of source 1"
std::string NameLog(const LogView& log);

/// "Batch 9, in 4 batches,", "Batch 9, the next one,"
std::string NameCompaction(const LogView& log, const NextCompactionView& next);

/// What the query fails with at `next`, for the releases that word it differently (HDFSMetadataLog,
/// CompactibleFileStreamLog). `next` must lack files.
std::string CompactionMessage(const LogView& log, const NextCompactionView& next);

/// What readers of `log` fail with now, in every release. It must have a gap.
std::string ReaderMessage(const LogView& log);

/// A sentence where a file of `lacking` is there under its other name, which it would have at
/// another interval than Spark's default, which is assumed; else empty.
std::string OtherIntervalHint(const LogView& log, const LackingFiles& lacking);

/// The fault of the file `name`; null when it is sound, or was not looked into.
const LogFileCheck* FaultOf(const LogView& log, const std::string& name);

}  // namespace tidegauge
