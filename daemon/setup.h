// A configuration file, and what the daemon makes of it.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "config/config.h"
#include "daemon/alertmanager/notifier.h"
#include "daemon/live_world.h"

namespace tidegauge {

/// A configuration, the world it describes, and who hears of it.
struct Setup {
  Config config;
  std::unique_ptr<LiveWorld> world;
  std::shared_ptr<Notifier> notifier;
};

/// All of it, or what is wrong, for a person. Of the queries it watches those of `shard`. What is
/// configured as in `before` (null: there was
/// none) is kept and then of both, which must be used by the same thread.
std::expected<std::shared_ptr<Setup>, std::string> MakeSetup(const std::string& file,
                                                             const Shard& shard,
                                                             const Setup* before);

/// Longer than any poll can take: each stage ends within a few of its deadlines.
Duration LongestPoll(const Config& config);

}  // namespace tidegauge
