#include "tests/daemon/http/client.h"

#include <array>
#include <cstdlib>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tidegauge {

Client::Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const timeval limit{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

Client::~Client() { ::close(socket_); }

void Client::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool Client::ReadMore() {
  std::array<char, 65536> buffer;
  const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (size <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

std::string Client::ReadResponse(bool head) {
  while (received_.find("\r\n\r\n") == std::string::npos) {
    if (!ReadMore()) return received_;
  }
  std::size_t size = received_.find("\r\n\r\n") + 4;
  constexpr std::string_view kLength = "Content-Length: ";
  if (const std::size_t at = received_.find(kLength); !head && at < size) {
    size += std::strtoul(received_.c_str() + at + kLength.size(), nullptr, 10);
  }
  while (received_.size() < size && ReadMore()) {
  }
  const std::string response = received_.substr(0, size);
  received_.erase(0, size);
  return response;
}

bool Client::IsClosedWithin(std::chrono::milliseconds time) {
  pollfd poll{.fd = socket_, .events = POLLIN, .revents = 0};
  if (::poll(&poll, 1, static_cast<int>(time.count())) <= 0) return false;
  return !ReadMore();
}

std::string Ask(std::uint16_t port, std::string_view method_and_path, std::string_view headers) {
  Client client(port);
  client.Send(std::string(method_and_path) + " HTTP/1.1\r\nHost: test\r\n" + std::string(headers) +
              "\r\n");
  return client.ReadResponse(method_and_path.starts_with("HEAD"));
}

std::string BodyOf(const std::string& response) {
  const std::size_t at = response.find("\r\n\r\n");
  return at == std::string::npos ? "" : response.substr(at + 4);
}

}  // namespace tidegauge
