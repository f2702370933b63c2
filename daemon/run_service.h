// The daemon: owns the objects, polls at its interval, serves the newest report, takes signals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/shard.h"
#include "core/result.h"

namespace tidegauge {

struct ServiceOptions {
  std::string config_file;
  std::vector<std::string> listen_addresses;  ///< empty: as configured
  std::string state_dir;                      ///< empty: as configured
  bool inherit_sockets = false;               ///< those that systemd passed, and no others
  std::string web_config_file;                ///< empty: plain HTTP for everybody
  bool enable_lifecycle = false;              ///< POST /-/reload
  Shard shard;
  /// Called, if set, once it serves on these endpoints, before the first poll.
  std::function<void(const std::vector<std::string>& endpoints)> on_listening;
};

/// Holds SIGTERM, SIGINT and SIGHUP back from all threads that start from here on, until RunService
/// takes them: for a caller that has something to clean up.
void HoldSignals();

/// Runs until SIGTERM or SIGINT, which must not be handled elsewhere. Starts with Kafka and
/// storage down, and keeps trying. SIGHUP loads the configuration again, whole or not at all.
///
/// Ends within a few seconds of the signal, also while a poll hangs; then the poll's thread may
/// still run, so that the caller must end the process without destroying what is static.
///
/// Returns the exit status: 0 after a signal, 78 when a configuration is wrong, 1 when it cannot
/// listen or its memory cannot be used. What is wrong has then been logged.
int RunService(const ServiceOptions& options);

}  // namespace tidegauge
