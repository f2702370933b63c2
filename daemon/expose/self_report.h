// What the program says of itself, as opposed to what it found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model.h"

namespace tidegauge {

/// This process as the kernel sees it. Absent: the kernel did not say.
struct ProcessStatus {
  std::optional<Time> started_at;
  std::optional<Duration> cpu_time;
  std::optional<std::uint64_t> resident_bytes;
  std::optional<std::uint64_t> virtual_bytes;
  std::optional<std::uint64_t> open_fds;
  std::optional<std::uint64_t> max_fds;
};

/// What was sent to one instance of Alertmanager since it was first used. Counts are of alerts.
struct AlertmanagerStatus {
  std::string url;
  std::uint64_t sent = 0;
  std::uint64_t errors = 0;   ///< not taken
  std::uint64_t dropped = 0;  ///< the queue was full
  std::uint64_t queue_length = 0;
  std::uint64_t queue_capacity = 0;
  std::optional<Duration> took;  ///< the last batch; absent: none was sent
};

struct SelfReport {
  std::string version;
  ProcessStatus process;
  std::optional<bool> last_reload_ok;    ///< the latest attempt to load the configuration
  std::optional<Time> config_loaded_at;  ///< when the configuration in use was loaded
  std::optional<Duration> poll_overdue;  ///< after the end of a poll another has surely ended
  std::int64_t shard = 0;                ///< which of `shards` this daemon is
  std::int64_t shards = 1;
  std::vector<AlertmanagerStatus> alertmanagers;  ///< empty: alerts are not delivered
};

}  // namespace tidegauge
