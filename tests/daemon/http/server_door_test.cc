// The server behind a door, on a socket. What TLS itself does is seen by tests/blackbox with curl.
#include <chrono>
#include <deque>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/http/server.h"
#include "tests/daemon/http/certificates.h"
#include "tests/daemon/http/client.h"

namespace tidegauge {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

// Of "swordfish" at cost 4, by htpasswd.
constexpr const char* kHash = "$2y$04$Ut.NesXShuqAbWSAshY2FuPJ8FRTS/PEYHbVfSiY6qBov5VkFvQqa";
constexpr const char* kRight = "Authorization: Basic YWxpY2U6c3dvcmRmaXNo\r\n";
constexpr const char* kWrong = "Authorization: Basic YWxpY2U6cGlrZQ==\r\n";

HttpResponse Echo(const HttpRequest& request) { return {.body = request.path + "\n"}; }

DoorPtr MakeDoorOf(const WebFile& file,
                   std::shared_ptr<CheckQueue> queue = std::make_shared<CheckQueue>()) {
  auto door = MakeDoor(file, std::move(queue));
  EXPECT_TRUE(door) << Render("f", door.error());
  return door ? *door : nullptr;
}

WebFile WithUser() { return {.users = {{"alice", kHash}}}; }

WebFile WithTls() {
  const TestCertificate own = MakeTestCertificate();
  return {.tls = TlsSettings{.cert = own.certificate, .key = own.key}};
}

std::unique_ptr<HttpServer> Serve(DoorPtr door, HttpLimits limits = {}) {
  auto server = HttpServer::Listen({"127.0.0.1:0"}, Echo, limits, std::move(door));
  EXPECT_TRUE(server) << server.error().message;
  return server ? *std::move(server) : nullptr;
}

TEST(ServerDoor, lets_in_who_knows_the_password) {
  const auto server = Serve(MakeDoorOf(WithUser()));
  EXPECT_THAT(Ask(server->port(), "GET /a", kRight), StartsWith("HTTP/1.1 200 "));
  for (const char* header : {"", kWrong}) {
    const std::string response = Ask(server->port(), "GET /a", header);
    EXPECT_THAT(response, StartsWith("HTTP/1.1 401 "));
    EXPECT_THAT(response, HasSubstr("\r\nWWW-Authenticate: Basic realm=\"tidegauge\"\r\n"));
  }
  EXPECT_THAT(Ask(server->port(), "HEAD /a", kWrong), StartsWith("HTTP/1.1 401 "));
}

TEST(ServerDoor, a_connection_goes_on_after_each_check) {
  const auto server = Serve(MakeDoorOf(WithUser()));
  Client client(server->port());
  for (const char* header : {kRight, kWrong, kRight, ""}) {
    client.Send(std::string("GET /a HTTP/1.1\r\nHost: x\r\n") + header + "\r\n");
    EXPECT_THAT(client.ReadResponse(),
                StartsWith(header == kRight ? "HTTP/1.1 200" : "HTTP/1.1 401"));
  }
}

TEST(ServerDoor, a_slow_check_holds_nobody_else_up) {
  WebFile file = WithUser();
  file.users["slow"] = std::string(kHash).replace(4, 2, "13");
  const auto server = Serve(MakeDoorOf(file));
  EXPECT_THAT(Ask(server->port(), "GET /", kRight), StartsWith("HTTP/1.1 200 "));
  Client slow(server->port());
  slow.Send("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic c2xvdzp4\r\n\r\n");
  const auto start = steady_clock::now();
  EXPECT_THAT(Ask(server->port(), "GET /", kRight), StartsWith("HTTP/1.1 200 "));
  EXPECT_LT(steady_clock::now() - start, 100ms);
  EXPECT_THAT(slow.ReadResponse(), StartsWith("HTTP/1.1 401 "));
  EXPECT_GT(steady_clock::now() - start, 100ms);
}

TEST(ServerDoor, says_when_too_many_passwords_are_checked) {
  const auto queue = std::make_shared<CheckQueue>(CheckQueueLimits{.waiting = 0});
  const auto server = Serve(MakeDoorOf(WithUser(), queue));
  EXPECT_THAT(Ask(server->port(), "GET /", kRight),
              AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("\r\nRetry-After: 1\r\n")));
  EXPECT_THAT(Ask(server->port(), "GET /"), StartsWith("HTTP/1.1 401 "));
}

TEST(ServerDoor, ends_while_a_check_is_under_way) {
  auto server = Serve(MakeDoorOf({.users = {{"slow", std::string(kHash).replace(4, 2, "14")}}}));
  Client slow(server->port());
  slow.Send("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic c2xvdzp4\r\n\r\n");
  EXPECT_THAT(Ask(server->port(), "GET /"), StartsWith("HTTP/1.1 401 "));
  const auto start = steady_clock::now();
  server.reset();
  EXPECT_LT(steady_clock::now() - start, 2s);
}

TEST(ServerDoor, a_new_door_judges_the_next_request_of_a_kept_connection) {
  const auto server = Serve(MakeDoorOf(WithUser()));
  Client client(server->port());
  const auto ask = [&] {
    client.Send(std::string("GET /a HTTP/1.1\r\nHost: x\r\n") + kRight + "\r\n");
    return client.ReadResponse();
  };
  EXPECT_THAT(ask(), StartsWith("HTTP/1.1 200"));
  server->Use(MakeDoorOf({.users = {{"bob", kHash}}}));
  EXPECT_THAT(ask(), StartsWith("HTTP/1.1 401"));
}

TEST(ServerDoor, a_request_that_waits_for_its_check_is_judged_by_the_newest_door) {
  const auto server =
      Serve(MakeDoorOf({.users = {{"alice", std::string(kHash).replace(4, 2, "13")}}}));
  Client client(server->port());
  client.Send(std::string("GET /a HTTP/1.1\r\nHost: x\r\n") + kRight + "\r\n");
  EXPECT_THAT(Ask(server->port(), "GET /"), StartsWith("HTTP/1.1 401")) << "the check has begun";
  server->Use(MakeDoorOf(WithUser()));
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 200"));
}

TEST(ServerDoor, answers_no_more_often_than_the_rate_limit) {
  const auto server =
      Serve(MakeDoorOf({.rate_limit = {.interval = std::chrono::hours(1), .burst = 2}}));
  EXPECT_THAT(Ask(server->port(), "GET /"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Ask(server->port(), "GET /"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Ask(server->port(), "GET /"), StartsWith("HTTP/1.1 429 "));
}

TEST(ServerDoor, headers_of_the_door_are_on_every_answer) {
  const auto server = Serve(MakeDoorOf({.headers = {{"X-Frame-Options", "deny"}}}));
  EXPECT_THAT(Ask(server->port(), "GET /"), HasSubstr("\r\nX-Frame-Options: deny\r\n"));
  EXPECT_THAT(Ask(server->port(), "GET  /"), HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

TEST(ServerDoor, who_connects_and_begins_no_tls_is_let_go) {
  const auto server = Serve(MakeDoorOf(WithTls()), {.handshake = 200ms});
  Client silent(server->port());
  Client half(server->port());
  half.Send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
  const auto start = steady_clock::now();
  EXPECT_TRUE(silent.IsClosedWithin(5s));
  EXPECT_TRUE(half.IsClosedWithin(5s));
  EXPECT_LT(steady_clock::now() - start, 3s);
}

TEST(ServerDoor, a_handshake_that_drips_gets_no_more_time) {
  const auto server = Serve(MakeDoorOf(WithTls()), {.handshake = 300ms});
  Client client(server->port());
  client.Send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
  const auto start = steady_clock::now();
  while (!client.IsClosedWithin(20ms) && steady_clock::now() - start < 5s) client.Send("X");
  EXPECT_LT(steady_clock::now() - start, 3s);
}

TEST(ServerDoor, who_speaks_plain_http_to_tls_is_told_so) {
  const auto server = Serve(MakeDoorOf(WithTls()));
  Client client(server->port());
  client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.ReadResponse(), "HTTP/1.0 400 Bad Request\r\n\r\n");
  EXPECT_EQ(client.ReadResponse(), "Client sent an HTTP request to an HTTPS server.\n");
}

TEST(ServerDoor, at_the_limit_who_has_not_begun_tls_makes_room) {
  const auto server = Serve(MakeDoorOf(WithTls()), {.connections = 3});
  std::deque<Client> silent;
  for (int i = 0; i < 4; ++i) silent.emplace_back(server->port());
  EXPECT_TRUE(silent[0].IsClosedWithin(5s));
  silent[3].Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(silent[3].ReadResponse(), StartsWith("HTTP/1.0 400"));
}

TEST(ServerDoor, when_tls_is_turned_on_idle_connections_without_it_end) {
  const auto server = Serve(MakeDoorOf({}));
  Client idle(server->port());
  idle.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(idle.ReadResponse(), StartsWith("HTTP/1.1 200"));
  server->Use(MakeDoorOf(WithTls()));
  EXPECT_TRUE(idle.IsClosedWithin(5s));
}

}  // namespace
}  // namespace tidegauge
