#include "daemon/systemd/supervisor.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tidegauge {
namespace {

constexpr std::size_t kLongestAddress = sizeof(sockaddr_un::sun_path) - 1;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::optional<std::int64_t> Number(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || number <= 0) return std::nullopt;
  return number;
}

/// Of this process: WATCHDOG_PID may name another, from which the environment was inherited.
std::optional<Duration> WatchdogTime() {
  const std::string process = Variable("WATCHDOG_PID");
  if (!process.empty() && Number(process) != getpid()) return std::nullopt;
  const auto micros = Number(Variable("WATCHDOG_USEC"));
  if (!micros) return std::nullopt;
  return std::chrono::ceil<Duration>(std::chrono::microseconds(*micros));
}

std::int64_t MonotonicMicros() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

}  // namespace

Result<Supervisor> Supervisor::FromEnvironment() {
  std::string address = Variable("NOTIFY_SOCKET");
  const bool is_address = address.starts_with('/') || address.starts_with('@');
  if (!address.empty() && (!is_address || address.size() > kLongestAddress)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("NOTIFY_SOCKET is {}, which is no address of a socket", address));
  }
  return Supervisor(std::move(address), WatchdogTime());
}

void Supervisor::Ready() const { Send("READY=1"); }

void Supervisor::Reloading() const {
  Send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", MonotonicMicros()));
}

void Supervisor::Stopping() const { Send("STOPPING=1"); }

void Supervisor::Status(std::string_view text) const { Send(fmt::format("STATUS={}", text)); }

void Supervisor::FeedWatchdog() const { Send("WATCHDOG=1"); }

std::optional<Duration> Supervisor::feed_interval() const {
  if (!watchdog_) return std::nullopt;
  return std::max(*watchdog_ / 2, Duration(1));
}

void Supervisor::Send(std::string_view state) const {
  if (address_.empty()) return;
  sockaddr_un to{.sun_family = AF_UNIX, .sun_path = {}};
  std::memcpy(to.sun_path, address_.data(), std::min(address_.size(), kLongestAddress));
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';  // abstract: a name, no file
  const int sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (sender < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  sendto(sender, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr*>(&to),
         length);
  close(sender);
}

}  // namespace tidegauge
