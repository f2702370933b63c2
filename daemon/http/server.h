// The HTTP side of the daemon: one thread, HTTP/1.1, every client bounded in size and time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "daemon/http/message.h"

namespace tidegauge {

struct HttpLimits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 64 * 1024;
  /// When one more client connects, the one that has been waiting for longest makes room.
  std::size_t connections = 256;
  std::chrono::milliseconds idle = std::chrono::seconds(120);     ///< until a request begins
  std::chrono::milliseconds request = std::chrono::seconds(10);   ///< until it is complete
  std::chrono::milliseconds response = std::chrono::seconds(30);  ///< until the client has taken it
};

class HttpServer {
 public:
  /// Listens on every address: `:10977` (all interfaces), `host:10977`, `[::1]:10977`; port 0 takes
  /// a free one. Clients are served from then on, on a thread of the server's own.
  ///
  /// Errors: kInvalid for what is no address, kDenied and kUnavailable from the system; the message
  /// names the address and says what to do.
  static Result<std::unique_ptr<HttpServer>> Listen(const std::vector<std::string>& addresses,
                                                    HttpHandler handler, HttpLimits limits = {});

  /// Stops.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Where it really listens, in the order of `addresses`: `[::]:10977`.
  const std::vector<std::string>& endpoints() const;
  /// The port of the first.
  std::uint16_t port() const;

  /// No new clients; responses under way have up to a second to end. Safe to call more than once,
  /// though not from the handler.
  void Stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tidegauge
