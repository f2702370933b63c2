// One poll, from the checkpoints to the report: the data flow of the whole program.
#pragma once

#include <vector>

#include "core/detectors/detector.h"
#include "core/history/ledger.h"
#include "core/model.h"
#include "core/report.h"
#include "core/world.h"

namespace tidegauge {

/// How findings are judged: the detectors with their settings, and the margins of the evidence.
struct Rules {
  std::vector<DetectorPtr> detectors;
  /// How far apart the clocks of Spark's driver and of the brokers may be before a record's
  /// timestamp proves that it was written after a batch was planned.
  Duration clock_margin = std::chrono::seconds(1);
  /// How long evidence that rests on the clocks of producers must hold before it fires.
  Duration likely_hold = std::chrono::minutes(5);
  /// `check` judges at first sight: without hold times.
  bool at_once = false;
};

/// Reads, asks, compares, judges, remembers in `ledger`, and returns what to show.
/// `now` is the moment of the call; the report is complete, also when nothing could be read.
Report RunCycle(World& world, const Rules& rules, Ledger& ledger, Time now);

}  // namespace tidegauge
