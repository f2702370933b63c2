// What Spark says at the next start of a query whose checkpoint is damaged. The texts differ from
// version to version, and nothing in a checkpoint tells which one wrote it: where they do, each is
// given with its versions.
#pragma once

#include <string>

#include "core/checkpoint/damage.h"

namespace tidegauge {

/// In quotes, with the versions where they differ; `path` is the checkpoint's. Fits after "a
/// restart fails with ".
std::string RestartMessage(const Damage& damage, const std::string& path);

}  // namespace tidegauge
