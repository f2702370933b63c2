// The sockets on which the server listens: opened here, or inherited from systemd.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "daemon/file_descriptor.h"

namespace tidegauge {

/// A TCP socket that listens and does not block.
struct ListeningSocket {
  FileDescriptor descriptor;
  bool is_v6 = false;
  std::string endpoint;  ///< where it really listens: `[::]:10977`
  std::uint16_t port = 0;
};

/// Opens one for each of `addresses`, see HttpServer::Listen.
Result<std::vector<ListeningSocket>> ListenOn(const std::vector<std::string>& addresses);

/// Takes those that systemd passed to this process (sd_listen_fds(3): from descriptor 3 on, as many
/// as LISTEN_FDS says, if LISTEN_PID names this process), and unsets the variables: once, before
/// there are other threads. Errors: kInvalid, there are none, or one is no listening TCP socket.
Result<std::vector<ListeningSocket>> InheritSockets();

}  // namespace tidegauge
