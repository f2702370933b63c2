// Which batch files a restart will look for in vain.
#pragma once

#include <optional>
#include <string>

#include "core/checkpoint/damage.h"
#include "core/checkpoint/directory.h"

namespace tidegauge {

struct LostBatches {
  Damage damage;
  std::string problem;             ///< a sentence for a person
  bool position_is_known = false;  ///< what is left tells it all the same
};

/// What a restart would refuse, told from names alone. Asynchronous progress leaves gaps in both
/// logs, but it never commits a batch without its offsets: only such a commit proves that an
/// offsets file is lost. `path` is the checkpoint's.
std::optional<LostBatches> FindLostBatches(const CheckpointListing& listing, bool continuous,
                                           const std::string& path);

}  // namespace tidegauge
