// What Alertmanager must hear, and when: as Prometheus tells it (rules/alerting.go,
// rules/manager.go). An alert that nobody repeats ends by itself, so that a dead daemon pages
// nobody for ever.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daemon/expose/alerts.h"

namespace tidegauge {

/// How long the end of an alert is repeated.
inline constexpr Duration kResolvedRepeated = std::chrono::minutes(15);

struct EndedAlert {
  Alert alert;
  Time ended_at;
};

/// One thread.
class Resender {
 public:
  /// `delay`: between two sends of one alert; `interval`: between two calls of Due.
  Resender(Duration delay, Duration interval) : delay_(delay), interval_(interval) {}

  /// What is to be sent now. `firing`: all that fires. `ended`: what has ended of late, also
  /// before this object was made; an alert that was sent and is in neither ends now.
  std::vector<TimedAlert> Due(const std::vector<Alert>& firing,
                              const std::vector<EndedAlert>& ended, Time now);

 private:
  struct Sent {
    Alert alert;
    std::optional<Time> at;  ///< absent: not yet
    std::optional<Time> ended_at;
  };
  using Labels = std::map<std::string, std::string>;

  void End(const Alert& alert, Time at);
  void Forget(Time now);

  Duration delay_;
  Duration interval_;
  std::map<Labels, Sent> sent_;
};

}  // namespace tidegauge
