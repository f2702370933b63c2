#include "daemon/http/routes.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/expose/sample_report.h"
#include "tests/daemon/http/gunzip.h"

namespace tidegauge {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kPrometheus =
    "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

class RoutesTest : public testing::Test {
 protected:
  RoutesTest() {
    sources_.report = [this] { return report_; };
    sources_.self = SampleSelf;
    sources_.metrics = [] { return MetricsOptions{}; };
    sources_.healthy = [] { return Result<void>{}; };
    sources_.now = [] { return kPolledAt; };
  }

  HttpResponse Ask(const HttpRequest& request) const {
    HttpResponse response = MakeRoutes(sources_)(request);
    if (!response.later) return response;
    HttpResponse known;
    response.later([&known](HttpResponse answer) { known = std::move(answer); });
    return known;
  }
  HttpResponse Get(const std::string& path) const { return Ask({.method = "GET", .path = path}); }

  static std::string Header(const HttpResponse& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return {};
  }

  ReportPtr report_ = std::make_shared<Report>(SampleReport());
  WebSources sources_;
};

TEST_F(RoutesTest, metrics_are_text_unless_open_metrics_is_preferred) {
  for (const char* accept : {"", "*/*", "text/plain", "nonsense", "application/json",
                             "application/openmetrics-text;q=0.1,text/plain;q=0.2"}) {
    const HttpResponse response = Ask({.method = "GET", .path = "/metrics", .accept = accept});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8") << accept;
    EXPECT_THAT(response.body, HasSubstr("# TYPE tidegauge_polls_total counter\n"));
  }
  const HttpResponse response =
      Ask({.method = "GET", .path = "/metrics", .accept = std::string(kPrometheus)});
  EXPECT_EQ(response.content_type, "application/openmetrics-text; version=1.0.0; charset=utf-8");
  EXPECT_THAT(response.body, EndsWith("# EOF\n"));
}

TEST_F(RoutesTest, metrics_are_compressed_for_who_takes_it) {
  const HttpResponse plain = Get("/metrics");
  EXPECT_EQ(Header(plain, "Content-Encoding"), "");
  EXPECT_EQ(Header(plain, "Vary"), "Accept, Accept-Encoding");
  const HttpResponse compressed =
      Ask({.method = "GET", .path = "/metrics", .accept_encoding = "gzip"});
  EXPECT_EQ(Header(compressed, "Content-Encoding"), "gzip");
  EXPECT_EQ(Gunzip(compressed.body), plain.body);
}

TEST_F(RoutesTest, small_answers_are_not_compressed) {
  const HttpResponse response =
      Ask({.method = "GET", .path = "/-/healthy", .accept_encoding = "gzip"});
  EXPECT_EQ(response.body, "tidegauge is healthy.\n");
}

TEST_F(RoutesTest, head_is_as_get) {
  for (const char* path : {"/", "/metrics", "/api/v1/queries", "/-/healthy", "/-/ready"}) {
    const HttpResponse get = Get(path);
    const HttpResponse head = Ask({.method = "HEAD", .path = path});
    EXPECT_EQ(head.status, 200) << path;
    EXPECT_EQ(head.content_type, get.content_type) << path;
    EXPECT_EQ(head.body, get.body) << path << ": its length is what the server sends";
  }
}

TEST_F(RoutesTest, the_page_is_html_that_may_run_nothing) {
  const HttpResponse response = Get("/");
  EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(response.body, StartsWith("<!doctype html>"));
  EXPECT_THAT(Header(response, "Content-Security-Policy"), StartsWith("default-src 'none'"));
}

TEST_F(RoutesTest, the_api_is_json) {
  EXPECT_EQ(Get("/api/v1/queries").content_type, "application/json");
  EXPECT_THAT(Get("/api/v1/queries").body, HasSubstr("\"queries\":["));
  EXPECT_THAT(Get("/api/v1/findings").body, HasSubstr("\"findings\":["));
  EXPECT_THAT(Get("/api/v1/history").body, HasSubstr("\"history\":["));
}

TEST_F(RoutesTest, before_the_first_poll_only_what_needs_no_report_is_there) {
  report_ = nullptr;
  EXPECT_EQ(Get("/-/ready").status, 503);
  EXPECT_EQ(Get("/-/healthy").status, 200);
  EXPECT_EQ(Get("/metrics").status, 200);
  EXPECT_THAT(Get("/metrics").body, HasSubstr("tidegauge_ready 0\n"));
  EXPECT_EQ(Get("/").status, 200);
  EXPECT_EQ(Get("/api/v1/queries").status, 503);
  EXPECT_EQ(Get("/api/v1/findings").status, 503);
  EXPECT_EQ(Get("/api/v1/history").status, 503);
}

TEST_F(RoutesTest, ready_once_there_is_a_report) { EXPECT_EQ(Get("/-/ready").status, 200); }

TEST_F(RoutesTest, unhealthy_says_why) {
  sources_.healthy = [] { return Fail(ErrorKind::kUnavailable, "the poll loop stands still"); };
  const HttpResponse response = Get("/-/healthy");
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, "the poll loop stands still\n");
}

TEST_F(RoutesTest, reload_must_be_enabled) {
  EXPECT_EQ(Ask({.method = "POST", .path = "/-/reload"}).status, 403);
  EXPECT_EQ(Get("/-/reload").status, 405);
}

TEST_F(RoutesTest, reload_reloads_or_says_why_not) {
  int reloads = 0;
  sources_.reload = [&reloads](const auto& done) {
    ++reloads;
    done({});
  };
  EXPECT_EQ(Ask({.method = "POST", .path = "/-/reload"}).status, 200);
  EXPECT_EQ(Ask({.method = "PUT", .path = "/-/reload"}).status, 200);
  const HttpResponse get = Get("/-/reload");
  EXPECT_EQ(get.status, 405);
  EXPECT_EQ(Header(get, "Allow"), "PUT, POST");
  EXPECT_EQ(reloads, 2);
  sources_.reload = [](const auto& done) {
    done(Fail(ErrorKind::kInvalid, "line 3: unknown key"));
  };
  const HttpResponse response = Ask({.method = "POST", .path = "/-/reload"});
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "line 3: unknown key\n");
}

TEST_F(RoutesTest, other_methods_are_told_what_is_allowed) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "get"}) {
    const HttpResponse response = Ask({.method = method, .path = "/metrics"});
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(Header(response, "Allow"), "GET, HEAD");
  }
}

TEST_F(RoutesTest, other_paths_are_not_found) {
  for (const char* path : {"/metric", "/metrics/", "//", "", "/-/quit", "/../etc/passwd", "*"}) {
    EXPECT_EQ(Get(path).status, 404) << path;
  }
}

}  // namespace
}  // namespace tidegauge
