// Where sources begin that no batch file names yet: sources/K/0.
#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/directory.h"
#include "core/checkpoint/fingerprint.h"
#include "core/checkpoint/offset_log.h"
#include "core/result.h"

namespace tidegauge {

/// The position before the first batch: every source's initial offsets, one entry a directory.
/// Errors: those of Storage, and kCorrupt or kUnsupported, for one source that cannot be read.
Result<OffsetLogEntry> ReadInitialPosition(const CheckpointDirectory& directory,
                                           const std::vector<std::string>& sources,
                                           FingerprintTaker& fingerprint);

/// Whether some source directory may hold what `entry` lacks: an offset that is `-`, or none at
/// all.
bool NeedsInitialOffsets(const OffsetLogEntry& entry, const std::vector<std::string>& sources);

/// Adds to `entry`, for sources that have no offset in it yet, the initial offsets they start from.
/// `earlier` is the batch before, or null: what had an offset there cannot be without one. What
/// does not fit together goes to `problems`.
Result<void> AddInitialOffsets(const CheckpointDirectory& directory,
                               const std::vector<std::string>& sources,
                               const OffsetLogEntry* earlier, FingerprintTaker& fingerprint,
                               OffsetLogEntry& entry, std::vector<std::string>& problems);

}  // namespace tidegauge
