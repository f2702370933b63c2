#include "daemon/http/listening_socket.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/http/address.h"

namespace tidegauge {
namespace {

constexpr int kFirstInherited = 3;  // SD_LISTEN_FDS_START
constexpr int kMostInherited = 1024;

std::string MessageOf(int error) { return std::generic_category().message(error); }

std::unexpected<Error> CannotListen(const std::string& address, int error) {
  const auto fail = [&](ErrorKind kind, std::string_view why) {
    return Fail(kind, fmt::format("cannot listen on {}: {}", address, why));
  };
  if (error == EADDRINUSE) {
    return fail(ErrorKind::kUnavailable,
                "another process has this port; stop it, or choose another port with "
                "--web.listen-address");
  }
  if (error == EACCES) {
    return fail(ErrorKind::kDenied,
                "permission denied; choose a port from 1024 on with --web.listen-address");
  }
  return fail(ErrorKind::kUnavailable, MessageOf(error));
}

/// Fills in where `socket` listens. False: it is no TCP socket.
bool DescribeEndpoint(ListeningSocket& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.descriptor.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return false;
  }
  char text[INET6_ADDRSTRLEN] = {};
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
    socket.port = ntohs(v6.sin6_port);
  } else if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
    socket.port = ntohs(v4.sin_port);
  } else {
    return false;
  }
  socket.is_v6 = address.ss_family == AF_INET6;
  socket.endpoint =
      fmt::format(fmt::runtime(socket.is_v6 ? "[{}]:{}" : "{}:{}"), text, socket.port);
  return true;
}

bool SetOption(int socket, int level, int name, int value) {
  return ::setsockopt(socket, level, name, &value, sizeof value) == 0;
}

/// The socket, or the system's error.
std::expected<ListeningSocket, int> Open(const sockaddr* address, socklen_t size) {
  ListeningSocket socket;
  const int family = address->sa_family;
  socket.descriptor =
      FileDescriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int fd = socket.descriptor.get();
  if (fd < 0 || !SetOption(fd, SOL_SOCKET, SO_REUSEADDR, 1)) return std::unexpected(errno);
  if (family == AF_INET6) {
    const bool any =
        IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    if (any && !SetOption(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0)) return std::unexpected(errno);
  }
  if (::bind(fd, address, size) != 0 || ::listen(fd, SOMAXCONN) != 0) return std::unexpected(errno);
  if (!DescribeEndpoint(socket)) return std::unexpected(errno);
  return socket;
}

// IPv6 takes IPv4 clients too, unless the machine has no IPv6.
std::expected<ListeningSocket, int> OpenAll(std::uint16_t port) {
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  auto socket = Open(reinterpret_cast<const sockaddr*>(&v6), sizeof v6);
  if (socket || socket.error() == EADDRINUSE || socket.error() == EACCES) return socket;
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  return Open(reinterpret_cast<const sockaddr*>(&v4), sizeof v4);
}

Result<ListeningSocket> OpenHost(const std::string& text, const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  if (error != 0) {
    return Fail(ErrorKind::kUnavailable,
                fmt::format("cannot listen on {}: {}", text, ::gai_strerror(error)));
  }
  const addrinfo* chosen = found;
  while (chosen != nullptr && chosen->ai_family != AF_INET) chosen = chosen->ai_next;
  if (chosen == nullptr) chosen = found;
  auto socket = Open(chosen->ai_addr, chosen->ai_addrlen);
  if (!socket) return CannotListen(text, socket.error());
  return *std::move(socket);
}

Result<ListeningSocket> OpenOne(const std::string& text) {
  const Result<ListenAddress> address = ParseListenAddress(text);
  if (!address) return std::unexpected(address.error());
  if (!address->host.empty()) return OpenHost(text, *address);
  auto socket = OpenAll(address->port);
  if (!socket) return CannotListen(text, socket.error());
  return *std::move(socket);
}

int OptionOf(int socket, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

std::optional<int> NumberIn(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

Result<ListeningSocket> Inherit(int fd) {
  ListeningSocket socket;
  if (OptionOf(fd, SO_TYPE) != SOCK_STREAM || OptionOf(fd, SO_ACCEPTCONN) != 1) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("descriptor {} from systemd is no listening TCP socket; the socket "
                            "unit may have ListenStream= with ports only, and no Accept=yes",
                            fd));
  }
  socket.descriptor = FileDescriptor(fd);
  if (!DescribeEndpoint(socket)) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("descriptor {} from systemd is no TCP socket; write the port, not a "
                            "path, after ListenStream=",
                            fd));
  }
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
      ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
    return Fail(ErrorKind::kUnavailable,
                fmt::format("descriptor {} from systemd: {}", fd, MessageOf(errno)));
  }
  return socket;
}

}  // namespace

Result<std::vector<ListeningSocket>> ListenOn(const std::vector<std::string>& addresses) {
  std::vector<ListeningSocket> sockets;
  for (const std::string& address : addresses) {
    auto socket = OpenOne(address);
    if (!socket) return std::unexpected(socket.error());
    sockets.push_back(*std::move(socket));
  }
  return sockets;
}

Result<std::vector<ListeningSocket>> InheritSockets() {
  const bool ours = NumberIn("LISTEN_PID") == ::getpid();
  const int count = NumberIn("LISTEN_FDS").value_or(0);
  for (const char* variable : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(variable);
  if (!ours || count <= 0 || count > kMostInherited) {
    return Fail(ErrorKind::kInvalid,
                "--web.systemd-socket: systemd passed no sockets; start tidegauge.socket, not the "
                "service alone, or leave the flag out");
  }
  std::vector<ListeningSocket> sockets;
  for (int fd = kFirstInherited; fd < kFirstInherited + count; ++fd) {
    auto socket = Inherit(fd);
    if (!socket) return std::unexpected(socket.error());
    sockets.push_back(*std::move(socket));
  }
  return sockets;
}

}  // namespace tidegauge
