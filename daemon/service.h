// The daemon: owns the objects, polls at its interval, serves the newest report, takes signals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"

namespace tidegauge {

struct ServiceOptions {
  std::string config_file;
  std::vector<std::string> listen_addresses;  ///< empty: as configured
  std::string state_dir;                      ///< empty: as configured
  bool enable_lifecycle = false;              ///< POST /-/reload
};

/// Runs until SIGTERM or SIGINT, which must not be blocked or handled elsewhere. Starts with Kafka and
/// storage down, and keeps trying. SIGHUP loads the configuration again, whole or not at all.
///
/// Returns the exit status: 0 after a signal, 78 when the configuration is wrong, 1 when it cannot
/// listen or its memory cannot be used. What is wrong has then been logged.
int RunService(const ServiceOptions& options);

}  // namespace tidegauge
