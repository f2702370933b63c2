#include "daemon/http/server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tidegauge {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kStopGrace{900};
constexpr std::chrono::milliseconds kAcceptRetry{100};

}  // namespace

class HttpServer::Impl {
 public:
  Impl(std::vector<ListeningSocket> sockets, HttpHandler handler, HttpLimits limits, DoorPtr door)
      : sessions_(io_, std::move(handler), limits, std::move(door)) {
    for (ListeningSocket& socket : sockets) {
      if (port_ == 0) port_ = socket.port;
      endpoints_.push_back(std::move(socket.endpoint));
      Listener& listener = listeners_.emplace_back(tcp::acceptor(io_), socket.is_v6);
      listener.acceptor.assign(socket.is_v6 ? tcp::v6() : tcp::v4(), socket.descriptor.Release());
    }
  }

  ~Impl() { sessions_.Forget(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Result<void> Start() {
    for (Listener& listener : listeners_) Accept(listener);
    try {
      thread_ = std::thread([this] { io_.run(); });
    } catch (const std::system_error& error) {
      return Fail(ErrorKind::kUnavailable,
                  fmt::format("cannot start the HTTP thread: {}", error.what()));
    }
    return {};
  }

  void Use(DoorPtr door) {
    asio::post(io_, [this, door = std::move(door)] { sessions_.Use(door); });
  }

  void Stop() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] { BeginStop(); });
    thread_.join();
  }

  const std::vector<std::string>& endpoints() const { return endpoints_; }
  std::uint16_t port() const { return port_; }

 private:
  struct Listener {
    tcp::acceptor acceptor;
    bool is_v6;
  };

  void Accept(Listener& listener) {
    listener.acceptor.async_accept([this, &listener](error_code error, tcp::socket socket) {
      if (stopping_) return;
      if (error) return RetryAccept(listener);
      if (sessions_.MakeRoom()) {
        sessions_.Admit(FileDescriptor(socket.release()), listener.is_v6);
      }
      Accept(listener);
    });
  }

  // Mostly there is no file descriptor left, and accepting at once would spin.
  void RetryAccept(Listener& listener) {
    sessions_.LetLongestGo();
    auto timer = std::make_shared<asio::steady_timer>(io_, kAcceptRetry);
    timer->async_wait([this, &listener, timer](error_code) {
      if (!stopping_) Accept(listener);
    });
  }

  void BeginStop() {
    stopping_ = true;
    error_code ignored;
    for (Listener& listener : listeners_) listener.acceptor.close(ignored);
    grace_.expires_after(kStopGrace);
    grace_.async_wait([this](error_code error) {
      if (!error) io_.stop();
    });
    sessions_.Stop([this] { grace_.cancel(); });
  }

  Sessions sessions_;  // outlives io_, which holds the sessions
  asio::io_context io_{1};
  asio::steady_timer grace_{io_};
  std::list<Listener> listeners_;
  std::vector<std::string> endpoints_;
  std::uint16_t port_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() { Stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(const std::vector<std::string>& addresses,
                                                       HttpHandler handler, HttpLimits limits,
                                                       DoorPtr door) {
  auto sockets = ListenOn(addresses);
  if (!sockets) return std::unexpected(sockets.error());
  return Serve(*std::move(sockets), std::move(handler), limits, std::move(door));
}

Result<std::unique_ptr<HttpServer>> HttpServer::Serve(std::vector<ListeningSocket> sockets,
                                                      HttpHandler handler, HttpLimits limits,
                                                      DoorPtr door) {
  auto impl =
      std::make_unique<Impl>(std::move(sockets), std::move(handler), limits, std::move(door));
  if (auto started = impl->Start(); !started) return std::unexpected(started.error());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

const std::vector<std::string>& HttpServer::endpoints() const { return impl_->endpoints(); }

std::uint16_t HttpServer::port() const { return impl_->port(); }

void HttpServer::Use(DoorPtr door) { impl_->Use(std::move(door)); }

void HttpServer::Stop() { impl_->Stop(); }

}  // namespace tidegauge
