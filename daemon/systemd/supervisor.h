// What systemd is told about this process (sd_notify(3), sd_watchdog_enabled(3)): datagrams of a
// few words, which systemd promises to keep, so that its library is not linked.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model.h"
#include "core/result.h"

namespace tidegauge {

/// Any thread. Without a supervisor that wants to know nothing is sent.
class Supervisor {
 public:
  /// As NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID say. Error: kInvalid, for a socket that is no
  /// address.
  static Result<Supervisor> FromEnvironment();

  /// `address`: of a datagram socket, a path or `@` and an abstract name; empty: nobody listens.
  explicit Supervisor(std::string address, std::optional<Duration> watchdog = std::nullopt)
      : address_(std::move(address)), watchdog_(watchdog) {}

  /// The configuration is loaded and the port listens, after a start as after a reload.
  void Ready() const;
  void Reloading() const;
  void Stopping() const;
  /// One line for `systemctl status`.
  void Status(std::string_view text) const;

  /// This process moves. Must come within the watchdog's time each.
  void FeedWatchdog() const;
  /// How often to feed it: half of its time, as systemd advises; absent: there is none.
  std::optional<Duration> feed_interval() const;

 private:
  /// What cannot be sent is lost: nothing here depends on the supervisor.
  void Send(std::string_view state) const;

  std::string address_;
  std::optional<Duration> watchdog_;
};

}  // namespace tidegauge
