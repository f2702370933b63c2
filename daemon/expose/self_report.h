// What the program says of itself, as opposed to what it found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

struct SelfReport {
  std::string version;
  ProcessStatus process;
  std::optional<bool> last_reload_ok;    ///< the latest attempt to load the configuration
  std::optional<Time> config_loaded_at;  ///< when the configuration in use was loaded
  std::optional<Duration> poll_overdue;  ///< after the end of a poll another has surely ended
};

}  // namespace tidegauge
