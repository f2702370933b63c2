#include "daemon/process_status.h"

#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace tidegauge {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string ReadWhole(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Duration FromTicks(std::uint64_t ticks) {
  return milliseconds(ticks * 1000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)));
}

Duration SinceBoot() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return seconds(now.tv_sec) + milliseconds(now.tv_nsec / 1'000'000);
}

/// The same in each call. Without the boot time of /proc/stat, which a hardened service does not
/// see.
Time StartedAt(Duration after_boot) {
  static const Time kStarted =
      std::chrono::floor<Duration>(std::chrono::system_clock::now()) - (SinceBoot() - after_boot);
  return kStarted;
}

// proc(5): the fields of /proc/self/stat, counted from 1. The second is in parentheses and may hold
// anything, so that reading starts behind the last one.
void ReadStat(ProcessStatus& status) {
  const std::string stat = ReadWhole("/proc/self/stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return;
  std::istringstream fields(stat.substr(name_end + 1));
  const auto skip = [&fields](int count) {
    std::string ignored;
    for (; count > 0; --count) fields >> ignored;
  };
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  std::uint64_t start = 0;
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_pages = 0;
  skip(11);
  fields >> user >> system;  // 14 and 15
  skip(6);
  fields >> start >> virtual_bytes >> resident_pages;  // 22 to 24
  if (!fields) return;
  status.cpu_time = FromTicks(user + system);
  status.virtual_bytes = virtual_bytes;
  status.resident_bytes = resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  status.started_at = StartedAt(FromTicks(start));
}

void ReadDescriptors(ProcessStatus& status) {
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/self/fd", error);
  if (!error) {
    // The one that the listing itself holds open does not count.
    status.open_fds = static_cast<std::uint64_t>(std::distance(begin(open), end(open))) - 1;
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) status.max_fds = limit.rlim_cur;
}

}  // namespace

ProcessStatus ReadProcessStatus() {
  ProcessStatus status;
  ReadStat(status);
  ReadDescriptors(status);
  return status;
}

}  // namespace tidegauge
