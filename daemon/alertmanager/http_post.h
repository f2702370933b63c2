// One HTTP connection to one server, over which texts are posted. The only file of this program
// that knows libcurl is http_post.cc.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/model.h"
#include "core/result.h"

namespace tidegauge {

/// Files are read at each post: what is rotated is used at the next one.
struct HttpCredentials {
  std::string basic_auth_user;
  std::string basic_auth_password_file;
  std::string bearer_token_file;
  std::string ca_file;    ///< empty: the system's
  std::string cert_file;  ///< of this client; empty: none
  std::string key_file;
};

/// One thread; Abort any.
class HttpPost {
 public:
  HttpPost(std::string url, HttpCredentials credentials, Duration timeout);
  ~HttpPost();
  HttpPost(const HttpPost&) = delete;
  HttpPost& operator=(const HttpPost&) = delete;

  /// Posts `json`. Any status from 200 to 299 is success. Errors: those of
  /// ReadText for the files; kUnavailable, everything else, with what the server said. None holds a
  /// secret.
  Result<void> Send(const std::string& json);

  /// A Send under way, and every later one, ends with an error within a second.
  void Abort() { aborted_ = true; }

 private:
  class Curl;

  const std::string url_;
  const HttpCredentials credentials_;
  std::atomic<bool> aborted_ = false;
  std::unique_ptr<Curl> curl_;
};

}  // namespace tidegauge
