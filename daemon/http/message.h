// One request and its response, as far as the daemon's pages care.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tidegauge {

struct HttpRequest {
  std::string method;           ///< `GET`
  std::string path;             ///< without the query
  std::string accept;           ///< all Accept fields, joined by commas; empty: none
  std::string accept_encoding;  ///< likewise
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;  ///< besides Content-Type and -Length
  /// A response to HEAD has the body that GET would have; the server sends its length alone.
  std::string body;
  /// Set where the response is not known yet: the server calls this, at once, with where to send it
  /// once it is, from any thread.
  std::function<void(std::function<void(HttpResponse)>)> later;
};

/// Called on the server's thread, one request at a time: it must return within moments, and not
/// throw. What takes longer answers `later`.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

}  // namespace tidegauge
