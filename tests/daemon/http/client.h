// A client that says exactly what a test wants said.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tidegauge {

class Client {
 public:
  /// Connects to 127.0.0.1.
  explicit Client(std::uint16_t port);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  void Send(std::string_view bytes);

  /// One response: its header and as much body as its Content-Length says. `head`: there is no
  /// body.
  std::string ReadResponse(bool head = false);

  /// Whether the server closes the connection, without having sent anything more.
  bool IsClosedWithin(std::chrono::milliseconds time);

 private:
  bool ReadMore();

  int socket_ = -1;
  bool connected_ = false;
  std::string received_;
};

/// Connects, asks, reads one response: `Ask(port, "GET /metrics")`. `headers`: lines with line
/// ends.
std::string Ask(std::uint16_t port, std::string_view method_and_path,
                std::string_view headers = "");

/// What follows the header of a response.
std::string BodyOf(const std::string& response);

}  // namespace tidegauge
