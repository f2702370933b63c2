#include "daemon/http/server.h"

#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/http/client.h"

namespace tidegauge {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

HttpResponse Echo(const HttpRequest& request) {
  return {.body = request.method + " " + request.path + " " + request.accept + "\n"};
}

std::unique_ptr<HttpServer> Serve(HttpLimits limits = {}, HttpHandler handler = Echo) {
  auto server = HttpServer::Listen({"127.0.0.1:0"}, std::move(handler), limits);
  EXPECT_TRUE(server) << server.error().message;
  return server ? *std::move(server) : nullptr;
}

TEST(HttpServer, hands_the_request_to_the_handler) {
  const auto server = Serve();
  const std::string response =
      Ask(server->port(), "GET /a/b?c=d", "Accept: text/plain\r\nAccept: */*\r\n");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(response, HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(response, HasSubstr("\r\nDate: "));
  EXPECT_EQ(BodyOf(response), "GET /a/b text/plain,*/*\n");
}

TEST(HttpServer, answers_head_with_the_length_alone) {
  const auto server = Serve();
  Client client(server->port());
  client.Send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string response = client.ReadResponse(true);
  EXPECT_THAT(response, HasSubstr("\r\nContent-Length: 8\r\n"));
  client.Send("GET /after HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "GET /after \n") << "nothing of a body came before";
}

TEST(HttpServer, keeps_a_connection_for_more_requests_even_pipelined) {
  const auto server = Serve();
  Client client(server->port());
  client.Send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "GET /1 \n");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "GET /2 \n");
}

/// Keeps where the slow answers are to be sent.
struct Slow {
  std::mutex mutex;
  std::vector<std::function<void(HttpResponse)>> waiting;

  HttpHandler Handler() {
    return [this](const HttpRequest& request) -> HttpResponse {
      if (request.path != "/slow") return Echo(request);
      return {.later = [this](std::function<void(HttpResponse)> answer) {
        const std::lock_guard lock(mutex);
        waiting.push_back(std::move(answer));
      }};
    };
  }
  std::function<void(HttpResponse)> WaitForOne() {
    for (;;) {
      {
        const std::lock_guard lock(mutex);
        if (!waiting.empty()) return waiting.front();
      }
      std::this_thread::yield();
    }
  }
};

TEST(HttpServer, answers_others_while_one_answer_takes_its_time) {
  Slow slow;
  const auto server = Serve({}, slow.Handler());
  Client client(server->port());
  client.Send("POST /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto answer = slow.WaitForOne();
  EXPECT_EQ(BodyOf(Ask(server->port(), "GET /other")), "GET /other \n");
  answer({.status = 500, .body = "at last\n"});
  EXPECT_EQ(BodyOf(client.ReadResponse()), "at last\n");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "GET /next \n");
}

TEST(HttpServer, nobody_waits_for_a_slow_answer_for_ever) {
  Slow slow;
  const auto server = Serve({.response = 50ms}, slow.Handler());
  Client client(server->port());
  client.Send("POST /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto answer = slow.WaitForOne();
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 503 "));
  answer({.body = "too late\n"});
  client.Send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "GET /next \n");
}

TEST(HttpServer, of_those_who_do_not_read_the_first_make_room) {
  const std::string large(8 << 20, 'x');
  const auto server =
      Serve({.response_bytes = 20 << 20}, [&large](const HttpRequest& request) -> HttpResponse {
        return {.body = request.path == "/large" ? large : std::string("small\n")};
      });
  std::deque<Client> lazy;
  for (int i = 0; i < 4; ++i) {
    lazy.emplace_back(server->port()).Send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(BodyOf(Ask(server->port(), "GET /")), "small\n");
  }
  EXPECT_EQ(lazy[3].ReadResponse().size() > large.size(), true);
  EXPECT_EQ(lazy[2].ReadResponse().size() > large.size(), true);
  EXPECT_EQ(lazy[0].ReadResponse().size() > large.size(), false);
}

TEST(HttpServer, takes_the_whole_url_from_a_proxy) {
  const auto server = Serve();
  EXPECT_EQ(BodyOf(Ask(server->port(), "GET http://x:1/a?b")), "GET /a \n");
  EXPECT_EQ(BodyOf(Ask(server->port(), "GET http://x")), "GET / \n");
}

TEST(HttpServer, refuses_a_body_whose_end_is_not_known) {
  const auto server = Serve();
  for (const char* encoding : {"xchunked", "chunked, identity"}) {
    const std::string header = std::string("Transfer-Encoding: ") + encoding + "\r\n";
    EXPECT_THAT(Ask(server->port(), "POST /", header), StartsWith("HTTP/1.1 501 ")) << encoding;
  }
}

TEST(HttpServer, an_answer_that_comes_after_the_end_does_no_harm) {
  Slow slow;
  auto server = Serve({}, slow.Handler());
  Client client(server->port());
  client.Send("POST /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto answer = slow.WaitForOne();
  const auto begun = steady_clock::now();
  server.reset();
  EXPECT_LT(steady_clock::now() - begun, 3s);
  answer({.body = "too late\n"});
}

TEST(HttpServer, closes_when_the_client_wants_it) {
  const auto server = Serve();
  Client client(server->port());
  client.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.0 200 OK"));
  EXPECT_TRUE(client.IsClosedWithin(5s));
}

TEST(HttpServer, reads_a_body_and_goes_on) {
  const auto server = Serve();
  Client client(server->port());
  client.Send("POST /r HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "POST /r \n");
  client.Send("GET /after HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(BodyOf(client.ReadResponse()), "GET /after \n");
}

TEST(HttpServer, refuses_what_is_no_request) {
  const auto server = Serve();
  Client client(server->port());
  client.Send("\x16\x03\x01 hello?\r\n\r\n");
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 400 "));
  EXPECT_TRUE(client.IsClosedWithin(5s));
}

TEST(HttpServer, refuses_a_header_that_is_too_large) {
  const auto server = Serve({.header_bytes = 1024});
  EXPECT_THAT(Ask(server->port(), "GET /", "X: " + std::string(3000, 'x') + "\r\n"),
              StartsWith("HTTP/1.1 431 "));
}

TEST(HttpServer, refuses_a_body_that_is_too_large) {
  const auto server = Serve({.body_bytes = 1024});
  EXPECT_THAT(Ask(server->port(), "POST /", "Content-Length: 1025\r\n"),
              StartsWith("HTTP/1.1 413 "));
}

TEST(HttpServer, closes_a_connection_on_which_nothing_is_asked) {
  const auto server = Serve({.idle = 50ms});
  Client client(server->port());
  EXPECT_TRUE(client.IsClosedWithin(5s));
}

TEST(HttpServer, a_client_that_sends_a_byte_now_and_then_gets_no_more_time) {
  const auto server = Serve({.request = 300ms});
  Client client(server->port());
  client.Send("GET / HTTP/1.1\r\n");
  const auto start = steady_clock::now();
  while (!client.IsClosedWithin(20ms) && steady_clock::now() - start < 5s) client.Send("X");
  EXPECT_LT(steady_clock::now() - start, 3s);
}

TEST(HttpServer, a_client_that_does_not_read_is_dropped) {
  constexpr std::size_t kSize = 64 << 20;
  const auto server = Serve({.response = 50ms}, [](const HttpRequest&) {
    return HttpResponse{.body = std::string(kSize, 'x')};
  });
  Client slow(server->port());
  slow.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(500ms);
  const std::size_t received = slow.ReadResponse().size();
  EXPECT_GT(received, 0U);
  EXPECT_LT(received, kSize);
  EXPECT_TRUE(slow.IsClosedWithin(5s));
}

TEST(HttpServer, two_hundred_idle_connections_do_not_stop_a_scrape) {
  const auto server = Serve();
  std::deque<Client> idle;
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(idle.emplace_back(server->port()).connected());
  const auto start = steady_clock::now();
  EXPECT_EQ(BodyOf(Ask(server->port(), "GET /metrics")), "GET /metrics \n");
  EXPECT_LT(steady_clock::now() - start, 1s);
}

TEST(HttpServer, at_the_limit_the_longest_idle_makes_room) {
  const auto server = Serve({.connections = 3});
  std::deque<Client> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(server->port()).Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_THAT(clients.back().ReadResponse(), StartsWith("HTTP/1.1 200 OK"));
  }
  EXPECT_EQ(BodyOf(Ask(server->port(), "GET /metrics")), "GET /metrics \n");
  EXPECT_TRUE(clients[0].IsClosedWithin(5s));
  clients[2].Send("GET /still HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(BodyOf(clients[2].ReadResponse()), "GET /still \n");
}

TEST(HttpServer, stops_within_a_second_with_clients_connected) {
  auto server = Serve();
  Client idle(server->port());
  Client half(server->port());
  half.Send("GET / HT");
  EXPECT_THAT(Ask(server->port(), "GET /"), StartsWith("HTTP/1.1 200"));
  const auto start = steady_clock::now();
  server->Stop();
  EXPECT_LT(steady_clock::now() - start, 1s);
  EXPECT_TRUE(idle.IsClosedWithin(1s));
  EXPECT_TRUE(half.IsClosedWithin(1s));
  EXPECT_FALSE(Client(server->port()).connected());
  server->Stop();
}

TEST(HttpServer, frees_its_port_at_once) {
  auto first = Serve();
  const std::string address = "127.0.0.1:" + std::to_string(first->port());
  EXPECT_THAT(Ask(first->port(), "GET /"), StartsWith("HTTP/1.1 200"));
  first.reset();
  const auto second = HttpServer::Listen({address}, Echo);
  EXPECT_TRUE(second) << second.error().message;
}

TEST(Listen, says_what_to_do_when_the_port_is_taken) {
  const auto first = Serve();
  const std::string address = "127.0.0.1:" + std::to_string(first->port());
  const auto second = HttpServer::Listen({address}, Echo);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(),
            (Error{ErrorKind::kUnavailable,
                   "cannot listen on " + address +
                       ": another process has this port; stop it, or choose another port with "
                       "--web.listen-address"}));
}

TEST(Listen, takes_every_form_of_address_and_several_at_once) {
  const auto server = HttpServer::Listen({":0", "localhost:0", "127.0.0.1:0"}, Echo);
  ASSERT_TRUE(server) << server.error().message;
  ASSERT_EQ((*server)->endpoints().size(), 3U);
  EXPECT_THAT((*server)->endpoints()[0], EndsWith(":" + std::to_string((*server)->port())));
  EXPECT_THAT((*server)->endpoints()[2], StartsWith("127.0.0.1:"));
  EXPECT_THAT((*server)->endpoints()[2], Not(EndsWith(":0")));
  EXPECT_THAT(Ask((*server)->port(), "GET /"), StartsWith("HTTP/1.1 200"));
}

TEST(Listen, refuses_a_host_that_is_not_there) {
  const auto server = HttpServer::Listen({"192.0.2.1:0"}, Echo);
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().message, StartsWith("cannot listen on 192.0.2.1:0: "));
}

TEST(Listen, refuses_what_is_no_address) {
  const auto server = HttpServer::Listen({"10977"}, Echo);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().kind, ErrorKind::kInvalid);
}

}  // namespace
}  // namespace tidegauge
