// A small report with one of everything.
#pragma once

#include <chrono>

#include "core/report.h"
#include "daemon/expose/self_report.h"

namespace tidegauge {

inline constexpr Time kPolledAt =
    std::chrono::sys_days(std::chrono::year(2026) / 11 / 30) + std::chrono::hours(4);

/// `orders` reads a recreated topic, `clicks` could not be read, `logs` is well.
Report SampleReport();

/// `logs` alone, remembered for an hour.
Report QuietReport();

/// A log whose next compaction will fail.
LogReport SinkLogReport();

/// Of data files, some of them wrong.
DataFilesReport EndedScanReport();

SelfReport SampleSelf();

}  // namespace tidegauge
