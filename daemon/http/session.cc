#include "daemon/http/session.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/http/message_generator.hpp>
#include <ctime>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "daemon/http/connection.h"
#include "daemon/http/mailbox.h"
#include "daemon/http/refusal.h"

namespace tidegauge {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kReadSize = 4096;
constexpr std::chrono::seconds kGoodbye{1};  // what a client gets to end TLS in good order
constexpr unsigned char kTlsHandshake = 22;  // the first byte of TLS (RFC 8446, 5.1)

std::string Joined(const http::fields& fields, http::field name) {
  std::string joined;
  const auto [first, last] = fields.equal_range(name);
  for (auto field = first; field != last; ++field) {
    if (!joined.empty()) joined += ',';
    joined += std::string_view(field->value());
  }
  return joined;
}

/// RFC 9112, 3.2.2: a proxy may ask with the whole URL.
std::string_view WithoutAuthority(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    const std::size_t path = target.find('/', scheme.size());
    return path == std::string_view::npos ? "/" : target.substr(path);
  }
  return target;
}

HttpRequest ToRequest(const http::request<http::string_body>& request) {
  const std::string_view target = WithoutAuthority(request.target());
  return {.method = std::string(request.method_string()),
          .path = std::string(target.substr(0, target.find('?'))),
          .accept = Joined(request, http::field::accept),
          .accept_encoding = Joined(request, http::field::accept_encoding)};
}

void SetHeader(http::fields& fields, const HttpResponse& response, const Door& door) {
  fields.set(http::field::date,
             fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr))));
  fields.set(http::field::content_type, response.content_type);
  fields.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) fields.set(name, value);
  for (const auto& [name, value] : door.headers) fields.set(name, value);
}

struct Manner {
  bool head = false;
  unsigned version = 11;
  bool keep_alive = false;
};

http::message_generator ToMessage(HttpResponse response, const Door& door, Manner manner) {
  const auto status = static_cast<http::status>(response.status);
  if (manner.head) {
    http::response<http::empty_body> message(status, manner.version);
    SetHeader(message, response, door);
    message.keep_alive(manner.keep_alive);
    message.content_length(response.body.size());
    return message;
  }
  http::response<http::string_body> message(status, manner.version);
  SetHeader(message, response, door);
  message.keep_alive(manner.keep_alive);
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

}  // namespace

struct Sessions::State {
  State(asio::io_context& context, HttpHandler&& given, HttpLimits bounds, DoorPtr&& first)
      : io(context), handler(std::move(given)), limits(bounds), door(std::move(first)) {}

  asio::io_context& io;
  const HttpHandler handler;
  const HttpLimits limits;
  DoorPtr door;
  /// Those that wait for a request stand before those that came or ended one later.
  std::list<Session*> all;
  /// Those who wait for what another thread has to say: nothing else holds them.
  std::map<std::uint64_t, std::shared_ptr<Session>> held;
  std::list<Session*> sending;  ///< those that came first stand first
  std::uint64_t newest_ticket = 0;
  std::shared_ptr<Mailbox> mailbox;
  bool stopping = false;
  std::function<void()> on_last_gone;
};

class Sessions::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, State& sessions)
      : sessions_(sessions),
        place_(sessions.all.insert(sessions.all.end(), this)),
        connection_(std::move(socket)),
        buffer_(sessions.limits.header_bytes + kReadSize) {}
  ~Session() {
    sessions_.all.erase(place_);
    sessions_.sending.remove(this);
    if (sessions_.all.empty() && sessions_.on_last_gone) sessions_.on_last_gone();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Nobody would miss it: no request of it is complete.
  bool is_waiting() const { return waiting_; }
  /// Not even a part of a request has come.
  bool is_idle() const { return idle_; }
  /// Its TLS is as the door now wants it.
  bool is_of_this_door() const { return connection_.tls_context() == sessions_.door->tls; }

  void Begin() {
    if (!sessions_.door->tls) return WaitForRequest();
    waiting_ = true;
    connection_.transport().expires_after(sessions_.limits.handshake);
    connection_.transport().async_read_some(
        buffer_.prepare(kReadSize),
        [self = shared_from_this()](error_code error, std::size_t size) {
          if (error) return self->Close();
          self->buffer_.commit(size);
          self->BeginTls();
        });
  }

  /// What is under way ends with an error, and so the session.
  void Close() {
    error_code ignored;
    connection_.transport().socket().shutdown(tcp::socket::shutdown_both, ignored);
    connection_.transport().close();
  }

  void OnChecked(const DoorPtr& door, Verdict verdict) {
    // What was right for another door says nothing about this one.
    if (door != sessions_.door) return CheckWho();
    Answer(verdict);
  }

 private:
  void BeginTls() {
    const auto first = *static_cast<const unsigned char*>(buffer_.data().data());
    if (first != kTlsHandshake || !sessions_.door->tls) return RefusePlainText(first);
    connection_.BeginTls(sessions_.door->tls, buffer_.data(),
                         [self = shared_from_this()](error_code error, std::size_t used) {
                           if (error || !self->is_of_this_door()) return self->Close();
                           self->buffer_.consume(used);
                           self->WaitForRequest();
                         });
  }

  void RefusePlainText(unsigned char first) {
    if (first < 'A' || first > 'Z') return Close();
    asio::async_write(connection_.transport(), asio::buffer(kThisIsHttps),
                      [self = shared_from_this()](error_code, std::size_t) { self->Close(); });
  }

  void WaitForRequest() {
    waiting_ = true;
    sessions_.all.splice(sessions_.all.end(), sessions_.all, place_);
    if (buffer_.size() > 0) return ReadRequest();
    idle_ = true;
    connection_.transport().expires_after(sessions_.limits.idle);
    connection_.async_read_some(buffer_.prepare(kReadSize),
                                [self = shared_from_this()](error_code error, std::size_t size) {
                                  self->idle_ = false;
                                  if (error) return self->Close();
                                  self->buffer_.commit(size);
                                  self->ReadRequest();
                                });
  }

  void ReadRequest() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(sessions_.limits.header_bytes));
    parser_->body_limit(sessions_.limits.body_bytes);
    // One deadline for the whole request: a client that sends a byte now and then does not extend
    // it.
    connection_.transport().expires_after(sessions_.limits.request);
    http::async_read(
        connection_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->OnRequest(error); });
  }

  void OnRequest(error_code error) {
    waiting_ = false;
    if (error) {
      std::optional<HttpResponse> response = ResponseTo(error);
      if (!response) return Close();
      return Send(ToMessage(std::move(*response), *sessions_.door, {}));
    }
    const auto& request = parser_->get();
    if (request.count(http::field::transfer_encoding) > 0 && !request.chunked()) {
      return Send(ToMessage(UnknownTransferEncoding(), *sessions_.door, {}));
    }
    RateLimiter* limit = sessions_.door->limit.get();
    if (limit != nullptr && !limit->Take(std::chrono::steady_clock::now())) {
      return Respond(TooManyRequests());
    }
    CheckWho();
  }

  void CheckWho() {
    const DoorPtr door = sessions_.door;
    if (!door->auth) return Answer(Verdict::kYes);
    const std::uint64_t ticket = ++sessions_.newest_ticket;
    const auto verdict = door->auth->Check(
        Joined(parser_->get(), http::field::authorization), connection_.client(),
        Awaited<Verdict>(
            ticket, [door](Session& session, Verdict found) { session.OnChecked(door, found); }));
    if (verdict) return Answer(*verdict);
    Hold(ticket);
  }

  /// For what another thread has to say, though not for ever.
  void Hold(std::uint64_t ticket) {
    sessions_.held.emplace(ticket, shared_from_this());
    patience_.expires_after(sessions_.limits.response);
    patience_.async_wait([&sessions = sessions_, ticket](error_code error) {
      if (error) return;
      if (auto held = sessions.held.extract(ticket)) {
        held.mapped()->Respond({.status = 503, .body = "That takes too long; it goes on.\n"});
      }
    });
  }

  void Answer(Verdict verdict) {
    if (verdict != Verdict::kYes) return Respond(Refusal(verdict));
    HttpResponse response = sessions_.handler(ToRequest(parser_->get()));
    if (!response.later) return Respond(std::move(response));
    const std::uint64_t ticket = ++sessions_.newest_ticket;
    Hold(ticket);
    response.later(Awaited<HttpResponse>(
        ticket, [](Session& session, HttpResponse known) { session.Respond(std::move(known)); }));
  }

  /// Brings what another thread has to say to the session that is held for it, on this thread.
  template <typename T, typename OnAnswer>
  std::function<void(T)> Awaited(std::uint64_t ticket, const OnAnswer& on_answer) {
    State& sessions = sessions_;
    return [&sessions, mailbox = sessions.mailbox, ticket, on_answer](const T& answer) {
      mailbox->Post([&sessions, ticket, on_answer, answer] {
        if (auto held = sessions.held.extract(ticket)) on_answer(*held.mapped(), answer);
      });
    };
  }

  void Respond(HttpResponse response) {
    patience_.cancel();
    MakeRoomFor(response.body.size());
    const auto& request = parser_->get();
    Send(ToMessage(
        std::move(response), *sessions_.door,
        {.head = request.method() == http::verb::head,
         .version = request.version(),
         .keep_alive = request.keep_alive() && is_of_this_door() && !sessions_.stopping}));
  }

  void Send(http::message_generator message) {
    const bool keep_alive = message.keep_alive();
    connection_.transport().expires_after(sessions_.limits.response);
    beast::async_write(connection_, std::move(message),
                       [self = shared_from_this(), keep_alive](error_code error, std::size_t) {
                         self->sessions_.sending.remove(self.get());
                         if (error) return self->Close();
                         if (!keep_alive || self->sessions_.stopping) return self->Finish();
                         self->WaitForRequest();
                       });
  }

  /// Clients that do not read must not fill the memory with what they asked for: those that have
  /// been at it for longest end first.
  void MakeRoomFor(std::size_t bytes) {
    sending_ = bytes;
    sessions_.sending.push_back(this);
    std::size_t all = 0;
    for (const Session* session : sessions_.sending) all += session->sending_;
    while (all > sessions_.limits.response_bytes && sessions_.sending.front() != this) {
      Session* slowest = sessions_.sending.front();
      all -= slowest->sending_;
      sessions_.sending.pop_front();
      slowest->Close();
    }
  }

  void Finish() {
    if (!connection_.tls_context()) return Close();
    waiting_ = true;
    connection_.transport().expires_after(kGoodbye);
    connection_.EndTls([self = shared_from_this()](error_code) { self->Close(); });
  }

  State& sessions_;
  std::list<Session*>::iterator place_;
  Connection connection_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  asio::steady_timer patience_{connection_.get_executor()};  ///< with what another thread says
  std::size_t sending_ = 0;                                  ///< bytes
  bool waiting_ = false;
  bool idle_ = false;
};

Sessions::Sessions(asio::io_context& io, HttpHandler handler, HttpLimits limits, DoorPtr door)
    : state_(std::make_unique<State>(io, std::move(handler), limits, std::move(door))) {}

Sessions::~Sessions() = default;

void Sessions::Admit(FileDescriptor socket, bool is_v6) {
  if (!state_->mailbox) {
    state_->mailbox = std::make_shared<Mailbox>(
        [&io = state_->io](Mailbox::Letter letter) { asio::post(io, std::move(letter)); });
  }
  tcp::socket accepted(state_->io);
  error_code error;
  accepted.assign(is_v6 ? tcp::v6() : tcp::v4(), socket.get(), error);
  if (error) return;
  socket.Release();
  std::make_shared<Session>(std::move(accepted), *state_)->Begin();
}

bool Sessions::MakeRoom() {
  return state_->all.size() < state_->limits.connections || LetLongestGo();
}

bool Sessions::LetLongestGo() {
  const auto longest = std::ranges::find_if(state_->all, &Session::is_waiting);
  if (longest == state_->all.end()) return false;
  (*longest)->Close();
  return true;
}

void Sessions::Use(DoorPtr door) {
  state_->door = std::move(door);
  for (Session* session : state_->all) {
    if (session->is_idle() && !session->is_of_this_door()) session->Close();
  }
}

void Sessions::Stop(std::function<void()> on_last_gone) {
  state_->stopping = true;
  if (state_->all.empty()) return on_last_gone();
  state_->on_last_gone = std::move(on_last_gone);
  for (Session* session : state_->all) {
    if (session->is_waiting()) session->Close();
  }
}

void Sessions::Forget() {
  state_->on_last_gone = nullptr;
  if (state_->mailbox) state_->mailbox->Close();
  state_->held.clear();
}

}  // namespace tidegauge
