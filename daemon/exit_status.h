// What a command's exit status says. `check` follows monitoring plugins, the rest sysexits.h.
#pragma once

namespace tidegauge {

enum ExitStatus : int {
  kExitOk = 0,
  kExitWarning = 1,   ///< check: warnings
  kExitFailure = 1,   ///< others: it could not be done
  kExitCritical = 2,  ///< check: something critical was found
  kExitUnknown = 3,   ///< check: something could not be judged, and nothing critical was found
  kExitUsage = 64,
  kExitConfig = 78,
};

}  // namespace tidegauge
