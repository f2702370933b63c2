// What a command's exit status says. `check` follows monitoring plugins, the rest sysexits.h.
#pragma once

namespace tidegauge {

enum ExitStatus : int {
  kExitOk = 0,
  kExitWarning = 1,   ///< check: warnings
  kExitFailure = 1,   ///< others: it could not be done; gate: not yet
  kExitCritical = 2,  ///< check: something critical was found; gate: waiting will not help
  kExitUnknown = 3,   ///< check, gate: something could not be judged, and nothing worse was found
  kExitUsage = 64,
  kExitConfig = 78,
};

}  // namespace tidegauge
