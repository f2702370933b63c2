// The HTTP side of the daemon: one thread, HTTP/1.1, every client bounded in size and time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "daemon/http/door.h"
#include "daemon/http/listening_socket.h"
#include "daemon/http/message.h"
#include "daemon/http/session.h"

namespace tidegauge {

class HttpServer {
 public:
  /// Listens on every address: `:10977` (all interfaces), `host:10977`, `[::1]:10977`; port 0 takes
  /// a free one. Clients are served from then on, on a thread of the server's own.
  ///
  /// Errors: kInvalid for what is no address, kDenied and kUnavailable from the system; the message
  /// names the address and says what to do.
  static Result<std::unique_ptr<HttpServer>> Listen(const std::vector<std::string>& addresses,
                                                    HttpHandler handler, HttpLimits limits = {},
                                                    DoorPtr door = std::make_shared<Door>());

  /// The same on sockets that are there. Errors: kUnavailable.
  static Result<std::unique_ptr<HttpServer>> Serve(std::vector<ListeningSocket> sockets,
                                                   HttpHandler handler, HttpLimits limits = {},
                                                   DoorPtr door = std::make_shared<Door>());

  /// Stops.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Where it really listens, in the order of the addresses or sockets: `[::]:10977`.
  const std::vector<std::string>& endpoints() const;
  /// The port of the first.
  std::uint16_t port() const;

  /// Replaces the door. Any thread. See Sessions::Use.
  void Use(DoorPtr door);

  /// No new clients; responses under way have up to a second to end. Safe to call more than once,
  /// though not from the handler.
  void Stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tidegauge
