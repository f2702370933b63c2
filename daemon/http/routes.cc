#include "daemon/http/routes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "daemon/expose/page.h"
#include "daemon/expose/report_json.h"
#include "daemon/http/gzip.h"
#include "daemon/http/negotiation.h"

namespace tidegauge {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::size_t kWorthCompressing = 1024;

HttpResponse Message(int status, std::string_view text) {
  return {.status = status, .body = fmt::format("{}\n", text)};
}

HttpResponse Page(const WebSources& sources, const HttpRequest&) {
  const ReportPtr report = sources.report();
  return {.content_type = "text/html; charset=utf-8",
          .headers = {{"Cache-Control", "no-store"},
                      {"Content-Security-Policy",
                       "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"},
                      {"Referrer-Policy", "no-referrer"}},
          .body = RenderPage(report.get(), sources.self(), sources.now())};
}

HttpResponse Metrics(const WebSources& sources, const HttpRequest& request) {
  const bool open_metrics = AcceptQuality(request.accept, "application/openmetrics-text", "1.0.0") >
                            AcceptQuality(request.accept, "text/plain", "0.0.4");
  const ReportPtr report = sources.report();
  return {.content_type = open_metrics
                              ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                              : "text/plain; version=0.0.4; charset=utf-8",
          .headers = {{"Vary", "Accept, Accept-Encoding"}},
          .body = RenderMetrics(report.get(), sources.self(), sources.metrics(),
                                open_metrics ? MetricFormat::kOpenMetrics : MetricFormat::kText)};
}

HttpResponse Json(const WebSources& sources, std::string (*render)(const Report&)) {
  const ReportPtr report = sources.report();
  if (!report) {
    return {.status = 503,
            .content_type = std::string(kJson),
            .body = "{\"error\":\"no poll has been completed yet\"}\n"};
  }
  return {.content_type = std::string(kJson),
          .headers = {{"Cache-Control", "no-store"}},
          .body = render(*report)};
}

HttpResponse Queries(const WebSources& sources, const HttpRequest&) {
  return Json(sources, QueriesJson);
}

HttpResponse Findings(const WebSources& sources, const HttpRequest&) {
  return Json(sources, FindingsJson);
}

HttpResponse History(const WebSources& sources, const HttpRequest&) {
  return Json(sources, [](const Report& report) { return HistoryJson(report.history); });
}

HttpResponse Healthy(const WebSources& sources, const HttpRequest&) {
  const Result<void> healthy = sources.healthy();
  return healthy ? Message(200, "tidegauge is healthy.") : Message(503, healthy.error().message);
}

HttpResponse Ready(const WebSources& sources, const HttpRequest&) {
  return sources.report() ? Message(200, "tidegauge is ready.")
                          : Message(503, "No poll has been completed yet.");
}

HttpResponse Reload(const WebSources& sources, const HttpRequest&) {
  if (!sources.reload) {
    return Message(403, "Reloading over HTTP is not enabled: start with --web.enable-lifecycle.");
  }
  return {.later = [reload = sources.reload](const std::function<void(HttpResponse)>& answer) {
    reload([answer](const Result<void>& reloaded) {
      answer(reloaded ? Message(200, "Reloaded.") : Message(500, reloaded.error().message));
    });
  }};
}

struct Route {
  std::string_view path;
  std::string_view methods;
  HttpResponse (*answer)(const WebSources&, const HttpRequest&);
};

constexpr std::string_view kRead = "GET, HEAD";
constexpr std::array<Route, 8> kRoutes{{{"/", kRead, Page},
                                        {"/metrics", kRead, Metrics},
                                        {"/api/v1/queries", kRead, Queries},
                                        {"/api/v1/findings", kRead, Findings},
                                        {"/api/v1/history", kRead, History},
                                        {"/-/healthy", kRead, Healthy},
                                        {"/-/ready", kRead, Ready},
                                        {"/-/reload", "PUT, POST", Reload}}};

bool Allows(const Route& route, std::string_view method) {
  if (route.methods == kRead) return method == "GET" || method == "HEAD";
  return method == "PUT" || method == "POST";
}

HttpResponse Answer(const WebSources& sources, const HttpRequest& request) {
  const auto* route = std::ranges::find(kRoutes, request.path, &Route::path);
  if (route == kRoutes.end()) return Message(404, "There is no such page. The start is /");
  if (!Allows(*route, request.method)) {
    HttpResponse response = Message(405, fmt::format("{} takes {}.", route->path, route->methods));
    response.headers.emplace_back("Allow", route->methods);
    return response;
  }
  return route->answer(sources, request);
}

void Compress(HttpResponse& response, const HttpRequest& request) {
  if (response.body.size() < kWorthCompressing) return;
  if (std::ranges::find(response.headers, "Vary", &std::pair<std::string, std::string>::first) ==
      response.headers.end()) {
    response.headers.emplace_back("Vary", "Accept-Encoding");
  }
  if (!AcceptsGzip(request.accept_encoding)) return;
  std::optional<std::string> compressed = Gzip(response.body);
  if (!compressed) return;
  response.body = *std::move(compressed);
  response.headers.emplace_back("Content-Encoding", "gzip");
}

}  // namespace

HttpHandler MakeRoutes(WebSources sources) {
  return [sources = std::move(sources)](const HttpRequest& request) {
    HttpResponse response = Answer(sources, request);
    Compress(response, request);
    return response;
  };
}

}  // namespace tidegauge
