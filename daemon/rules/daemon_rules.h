// The alerts on the daemon itself: that it runs, polls, sees everything and remembers.
#pragma once

#include <string>

#include "daemon/rules/rule.h"

namespace tidegauge {

/// `job`: the job under which Prometheus scrapes the daemon.
RuleGroup DaemonRules(const std::string& job);

}  // namespace tidegauge
