#include "daemon/systemd/supervisor.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tidegauge {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// systemd's end of the socket.
class Systemd {
 public:
  explicit Systemd(std::string address)
      : address_(std::move(address)), socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un at{.sun_family = AF_UNIX, .sun_path = {}};
    std::memcpy(at.sun_path, address_.data(), address_.size());
    if (at.sun_path[0] == '@') at.sun_path[0] = '\0';
    bound_ = bind(socket_, reinterpret_cast<sockaddr*>(&at),
                  static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size())) == 0;
  }
  ~Systemd() {
    close(socket_);
    if (address_.front() == '/') unlink(address_.c_str());
  }
  Systemd(const Systemd&) = delete;
  Systemd& operator=(const Systemd&) = delete;

  bool bound() const { return bound_; }

  /// The next datagram; empty: there is none.
  std::string Heard() const {
    std::array<char, 512> text{};
    const ssize_t size = recv(socket_, text.data(), text.size(), 0);
    return size <= 0 ? "" : std::string(text.data(), static_cast<std::size_t>(size));
  }

 private:
  std::string address_;
  int socket_;
  bool bound_ = false;
};

class SupervisorTest : public ::testing::Test {
 protected:
  void SetUp() override { Clear(); }
  void TearDown() override { Clear(); }

  static void Clear() {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
  }

  static std::optional<Duration> FeedInterval(const char* usec, const std::string& pid) {
    setenv("WATCHDOG_USEC", usec, 1);
    setenv("WATCHDOG_PID", pid.c_str(), 1);
    const auto supervisor = Supervisor::FromEnvironment();
    return supervisor ? supervisor->feed_interval() : std::nullopt;
  }
};

TEST_F(SupervisorTest, TellsWhereItStands) {
  for (const std::string& address : {fmt::format("/tmp/tidegauge-notify-{}", getpid()),
                                     fmt::format("@tidegauge-{}", getpid())}) {
    const Systemd systemd(address);
    ASSERT_TRUE(systemd.bound()) << address;
    setenv("NOTIFY_SOCKET", address.c_str(), 1);
    const auto supervisor = Supervisor::FromEnvironment();
    ASSERT_TRUE(supervisor);
    supervisor->Ready();
    EXPECT_EQ(systemd.Heard(), "READY=1");
    supervisor->Status("2 critical");
    EXPECT_EQ(systemd.Heard(), "STATUS=2 critical");
    supervisor->FeedWatchdog();
    EXPECT_EQ(systemd.Heard(), "WATCHDOG=1");
    supervisor->Reloading();  // systemd.service(5): with the time, for Type=notify-reload
    EXPECT_THAT(systemd.Heard(), MatchesRegex("RELOADING=1\nMONOTONIC_USEC=[0-9]{6,}"));
    supervisor->Stopping();
    EXPECT_EQ(systemd.Heard(), "STOPPING=1");
    EXPECT_EQ(systemd.Heard(), "");
  }
}

TEST_F(SupervisorTest, WithoutOneNothingHappens) {
  const auto supervisor = Supervisor::FromEnvironment();
  ASSERT_TRUE(supervisor);
  supervisor->Ready();
  EXPECT_FALSE(supervisor->feed_interval());
}

TEST_F(SupervisorTest, OneThatIsGoneDoesNoHarm) {
  const Supervisor supervisor("/tmp/tidegauge-nobody-listens");
  supervisor.Ready();
}

TEST_F(SupervisorTest, AnAddressThatIsNoneIsAnError) {
  for (const std::string& address : {std::string("vsock:2:1"), "/" + std::string(200, 'x')}) {
    setenv("NOTIFY_SOCKET", address.c_str(), 1);
    const auto supervisor = Supervisor::FromEnvironment();
    ASSERT_FALSE(supervisor) << address;
    EXPECT_THAT(supervisor.error().message, HasSubstr(address));
  }
}

TEST_F(SupervisorTest, TheWatchdogIsFedTwiceInItsTime) {
  EXPECT_EQ(FeedInterval("60000000", std::to_string(getpid())), seconds(30));
  EXPECT_EQ(FeedInterval("60000000", ""), seconds(30));
  EXPECT_EQ(FeedInterval("1", ""), Duration(1));
}

TEST_F(SupervisorTest, AnotherProcessesWatchdogIsNotFed) {
  EXPECT_FALSE(FeedInterval("60000000", "1"));
  EXPECT_FALSE(FeedInterval("0", ""));
  EXPECT_FALSE(FeedInterval("soon", ""));
}

}  // namespace
}  // namespace tidegauge
