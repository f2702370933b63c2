// The list of every detector there is.
#pragma once

#include <vector>

#include "core/detectors/detector.h"

namespace tidegauge {

/// One of each kind with its default settings, in the order of the design's table.
std::vector<DetectorPtr> AllDetectors();

}  // namespace tidegauge
