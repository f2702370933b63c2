#include "daemon/process_status.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tidegauge {
namespace {

TEST(ReadProcessStatus, knows_this_process) {
  const ProcessStatus status = ReadProcessStatus();
  ASSERT_TRUE(status.started_at && status.cpu_time && status.resident_bytes);
  EXPECT_GT(*status.started_at, Time(std::chrono::sys_days(std::chrono::year(2020) / 1 / 1)));
  EXPECT_GT(*status.resident_bytes, 1U << 20);
  EXPECT_GT(*status.virtual_bytes, *status.resident_bytes);
  EXPECT_GT(*status.max_fds, *status.open_fds);
}

TEST(ReadProcessStatus, counts_one_more_descriptor_when_one_more_is_open) {
  const auto before = ReadProcessStatus().open_fds;
  const int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(*ReadProcessStatus().open_fds, *before + 1);
  ::close(fd);
}

}  // namespace
}  // namespace tidegauge
