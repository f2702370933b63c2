#include "daemon/http/server.h"

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <ctime>
#include <list>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "daemon/http/address.h"

namespace tidegauge {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kStopGrace{900};
constexpr std::chrono::milliseconds kAcceptRetry{100};
constexpr std::size_t kReadSize = 4096;

std::string Joined(const http::fields& fields, http::field name) {
  std::string joined;
  const auto [first, last] = fields.equal_range(name);
  for (auto field = first; field != last; ++field) {
    if (!joined.empty()) joined += ',';
    joined += std::string_view(field->value());
  }
  return joined;
}

HttpRequest ToRequest(const http::request<http::string_body>& request) {
  const std::string_view target = request.target();
  return {.method = std::string(request.method_string()),
          .path = std::string(target.substr(0, target.find('?'))),
          .accept = Joined(request, http::field::accept),
          .accept_encoding = Joined(request, http::field::accept_encoding)};
}

void SetHeader(http::fields& fields, const HttpResponse& response) {
  fields.set(http::field::date,
             fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr))));
  fields.set(http::field::content_type, response.content_type);
  fields.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) fields.set(name, value);
}

http::message_generator ToMessage(HttpResponse response, bool head, unsigned version,
                                  bool keep_alive) {
  const auto status = static_cast<http::status>(response.status);
  if (head) {
    http::response<http::empty_body> message(status, version);
    SetHeader(message, response);
    message.keep_alive(keep_alive);
    message.content_length(response.body.size());
    return message;
  }
  http::response<http::string_body> message(status, version);
  SetHeader(message, response);
  message.keep_alive(keep_alive);
  message.body() = std::move(response.body);
  message.prepare_payload();
  return message;
}

// Absent: the client is gone or was too slow, there is nobody to answer.
std::optional<HttpResponse> ResponseTo(error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return HttpResponse{.status = 431, .body = "The request's header is too large.\n"};
  }
  if (error == http::error::body_limit) {
    return HttpResponse{.status = 413, .body = "The request's body is too large.\n"};
  }
  const bool malformed =
      error.category() == http::make_error_code(http::error::bad_method).category();
  if (!malformed || error == http::error::end_of_stream || error == http::error::partial_message) {
    return std::nullopt;
  }
  return HttpResponse{.status = 400, .body = "This is no HTTP/1.1 request.\n"};
}

class Session;

/// Who is connected. Those that wait for a request stand before those that came or ended one later.
struct Sessions {
  const HttpHandler& handler;
  const HttpLimits& limits;
  std::list<Session*> all;
  bool stopping = false;
  std::function<void()> on_last_gone;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Sessions& sessions)
      : sessions_(sessions),
        place_(sessions.all.insert(sessions.all.end(), this)),
        stream_(std::move(socket)),
        buffer_(sessions.limits.header_bytes + kReadSize) {}
  ~Session() {
    sessions_.all.erase(place_);
    if (sessions_.all.empty() && sessions_.on_last_gone) sessions_.on_last_gone();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool is_waiting() const { return waiting_; }

  void WaitForRequest() {
    waiting_ = true;
    sessions_.all.splice(sessions_.all.end(), sessions_.all, place_);
    if (buffer_.size() > 0) return ReadRequest();
    stream_.expires_after(sessions_.limits.idle);
    stream_.async_read_some(buffer_.prepare(kReadSize),
                            [self = shared_from_this()](error_code error, std::size_t size) {
                              if (error) return self->Close();
                              self->buffer_.commit(size);
                              self->ReadRequest();
                            });
  }

  /// What is under way ends with an error, and so the session.
  void Close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

 private:
  void ReadRequest() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(sessions_.limits.header_bytes));
    parser_->body_limit(sessions_.limits.body_bytes);
    // One deadline for the whole request: a client that sends a byte now and then does not extend
    // it.
    stream_.expires_after(sessions_.limits.request);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->OnRequest(error); });
  }

  void OnRequest(error_code error) {
    waiting_ = false;
    if (error) {
      std::optional<HttpResponse> response = ResponseTo(error);
      if (!response) return Close();
      return Send(ToMessage(std::move(*response), false, 11, false));
    }
    const auto& request = parser_->get();
    const bool keep_alive = request.keep_alive() && !sessions_.stopping;
    Send(ToMessage(sessions_.handler(ToRequest(request)), request.method() == http::verb::head,
                   request.version(), keep_alive));
  }

  void Send(http::message_generator message) {
    const bool keep_alive = message.keep_alive();
    stream_.expires_after(sessions_.limits.response);
    beast::async_write(stream_, std::move(message),
                       [self = shared_from_this(), keep_alive](error_code error, std::size_t) {
                         if (error || !keep_alive || self->sessions_.stopping) {
                           return self->Close();
                         }
                         self->WaitForRequest();
                       });
  }

  Sessions& sessions_;
  std::list<Session*>::iterator place_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  bool waiting_ = false;
};

// False: everybody is being answered.
bool MakeRoom(Sessions& sessions) {
  const auto longest = std::ranges::find_if(sessions.all, &Session::is_waiting);
  if (longest == sessions.all.end()) return false;
  (*longest)->Close();
  return true;
}

std::unexpected<Error> CannotListen(const std::string& address, error_code error) {
  const auto fail = [&](ErrorKind kind, std::string_view why) {
    return Fail(kind, fmt::format("cannot listen on {}: {}", address, why));
  };
  if (error == asio::error::address_in_use) {
    return fail(ErrorKind::kUnavailable,
                "another process has this port; stop it, or choose another port with "
                "--web.listen-address");
  }
  if (error == asio::error::access_denied) {
    return fail(ErrorKind::kDenied,
                "permission denied; choose a port from 1024 on with --web.listen-address");
  }
  return fail(ErrorKind::kUnavailable, error.message());
}

error_code Open(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code error;
  if (acceptor.is_open()) acceptor.close(error);
  if (acceptor.open(endpoint.protocol(), error)) return error;
  if (acceptor.set_option(asio::socket_base::reuse_address(true), error)) return error;
  if (endpoint.address().is_v6() && endpoint.address().is_unspecified()) {
    if (acceptor.set_option(asio::ip::v6_only(false), error)) return error;
  }
  if (acceptor.bind(endpoint, error)) return error;
  acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

// IPv6 takes IPv4 clients too, unless the machine has no IPv6.
error_code OpenAll(tcp::acceptor& acceptor, std::uint16_t port) {
  const error_code error = Open(acceptor, tcp::endpoint(tcp::v6(), port));
  if (!error || error == asio::error::address_in_use || error == asio::error::access_denied) {
    return error;
  }
  return Open(acceptor, tcp::endpoint(tcp::v4(), port));
}

error_code OpenHost(asio::io_context& io, tcp::acceptor& acceptor, const ListenAddress& address) {
  error_code error;
  const auto found = tcp::resolver(io).resolve(address.host, std::to_string(address.port),
                                               tcp::resolver::passive, error);
  if (error) return error;
  auto chosen = std::ranges::find_if(
      found, [](const auto& entry) { return entry.endpoint().address().is_v4(); });
  if (chosen == found.end()) chosen = found.begin();
  return Open(acceptor, chosen->endpoint());
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(HttpHandler handler, HttpLimits limits)
      : handler_(std::move(handler)),
        limits_(limits),
        sessions_{handler_, limits_, {}, false, {}} {}

  Result<void> Open(const std::string& text) {
    const Result<ListenAddress> address = ParseListenAddress(text);
    if (!address) return std::unexpected(address.error());
    tcp::acceptor acceptor(io_);
    const error_code error = address->host.empty() ? OpenAll(acceptor, address->port)
                                                   : OpenHost(io_, acceptor, *address);
    if (error) return CannotListen(text, error);
    error_code ignored;
    const tcp::endpoint endpoint = acceptor.local_endpoint(ignored);
    const std::string host = endpoint.address().to_string();
    endpoints_.push_back(fmt::format(fmt::runtime(endpoint.address().is_v6() ? "[{}]:{}" : "{}:{}"),
                                     host, endpoint.port()));
    if (port_ == 0) port_ = endpoint.port();
    acceptors_.push_back(std::move(acceptor));
    return {};
  }

  Result<void> Start() {
    for (tcp::acceptor& acceptor : acceptors_) Accept(acceptor);
    try {
      thread_ = std::thread([this] { io_.run(); });
    } catch (const std::system_error& error) {
      return Fail(ErrorKind::kUnavailable,
                  fmt::format("cannot start the HTTP thread: {}", error.what()));
    }
    return {};
  }

  void Stop() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] { BeginStop(); });
    thread_.join();
  }

  const std::vector<std::string>& endpoints() const { return endpoints_; }
  std::uint16_t port() const { return port_; }

 private:
  void Accept(tcp::acceptor& acceptor) {
    acceptor.async_accept([this, &acceptor](error_code error, tcp::socket socket) {
      if (sessions_.stopping) return;
      if (error) return RetryAccept(acceptor);
      if (sessions_.all.size() < limits_.connections || MakeRoom(sessions_)) {
        std::make_shared<Session>(std::move(socket), sessions_)->WaitForRequest();
      }
      Accept(acceptor);
    });
  }

  // Mostly there is no file descriptor left, and accepting at once would spin.
  void RetryAccept(tcp::acceptor& acceptor) {
    MakeRoom(sessions_);
    auto timer = std::make_shared<asio::steady_timer>(io_, kAcceptRetry);
    timer->async_wait([this, &acceptor, timer](error_code) {
      if (!sessions_.stopping) Accept(acceptor);
    });
  }

  void BeginStop() {
    sessions_.stopping = true;
    error_code ignored;
    for (tcp::acceptor& acceptor : acceptors_) acceptor.close(ignored);
    if (sessions_.all.empty()) return;
    sessions_.on_last_gone = [this] { grace_.cancel(); };
    grace_.expires_after(kStopGrace);
    grace_.async_wait([this](error_code error) {
      if (!error) io_.stop();
    });
    for (Session* session : sessions_.all) {
      if (session->is_waiting()) session->Close();
    }
  }

  const HttpHandler handler_;
  const HttpLimits limits_;
  Sessions sessions_;  // outlives io_, which holds the sessions
  asio::io_context io_{1};
  asio::steady_timer grace_{io_};
  std::vector<tcp::acceptor> acceptors_;
  std::vector<std::string> endpoints_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() { Stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(const std::vector<std::string>& addresses,
                                                       HttpHandler handler, HttpLimits limits) {
  auto impl = std::make_unique<Impl>(std::move(handler), limits);
  for (const std::string& address : addresses) {
    if (auto opened = impl->Open(address); !opened) return std::unexpected(opened.error());
  }
  if (auto started = impl->Start(); !started) return std::unexpected(started.error());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

const std::vector<std::string>& HttpServer::endpoints() const { return impl_->endpoints(); }

std::uint16_t HttpServer::port() const { return impl_->port(); }

void HttpServer::Stop() { impl_->Stop(); }

}  // namespace tidegauge
