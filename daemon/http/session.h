// The clients that are connected. All of it on the thread that runs the io_context.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "daemon/file_descriptor.h"
#include "daemon/http/door.h"
#include "daemon/http/message.h"

namespace boost::asio {
class io_context;  // NOLINT(readability-identifier-naming): Asio's name
}

namespace tidegauge {

struct HttpLimits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 64 * 1024;
  /// When one more client connects, the one that has been waiting for longest makes room.
  std::size_t connections = 256;
  std::chrono::milliseconds handshake = std::chrono::seconds(10);  ///< of TLS, all of it
  std::chrono::milliseconds idle = std::chrono::seconds(120);      ///< until a request begins
  std::chrono::milliseconds request = std::chrono::seconds(10);    ///< until it is complete
  std::chrono::milliseconds response = std::chrono::seconds(30);  ///< until the client has taken it
  /// Of all responses that wait to be taken; beyond it the one that waits for longest ends.
  std::size_t response_bytes = 64 << 20;
};

class Sessions {
 public:
  /// Outlives `io`, which holds the sessions.
  Sessions(boost::asio::io_context& io, HttpHandler handler, HttpLimits limits, DoorPtr door);
  ~Sessions();
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  /// Takes a client in, who has just connected.
  void Admit(FileDescriptor socket, bool is_v6);

  /// Whether there is room for one more, if need be by LetLongestGo.
  bool MakeRoom();
  /// Ends the one that has been waiting for longest. False: everybody is being answered.
  bool LetLongestGo();

  /// From now on, also for those who are connected: each request that is not yet answered is judged
  /// by this door, and a connection made with other TLS settings ends with its present request.
  void Use(DoorPtr door);

  /// Those who wait are let go, the others once they are answered; `on_last_gone` then.
  void Stop(std::function<void()> on_last_gone);

  /// Before `io` ends: no password check that is still under way comes back, and the last to go is
  /// not told.
  void Forget();

 private:
  class Session;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tidegauge
