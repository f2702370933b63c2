#include "daemon/alertmanager/http_post.h"

#include <algorithm>
#include <utility>

#include <curl/curl.h>
#include <fmt/core.h>

#include "config/read_text.h"

namespace tidegauge {
namespace {

constexpr std::size_t kAnswerKept = 300;
constexpr std::size_t kMaxSecretBytes = 64 << 10;

std::size_t KeepAnswer(char* data, std::size_t /*one*/, std::size_t size, void* answer) {
  auto& kept = *static_cast<std::string*>(answer);
  kept.append(data, std::min(size, kAnswerKept - std::min(kept.size(), kAnswerKept)));
  return size;
}

int StopIfAborted(void* aborted, curl_off_t /*dltotal*/, curl_off_t /*dlnow*/,
                  curl_off_t /*ultotal*/, curl_off_t /*ulnow*/) {
  return static_cast<std::atomic<bool>*>(aborted)->load() ? 1 : 0;
}

/// Without the line break that editors put at the end.
Result<std::string> ReadSecret(const std::string& file) {
  auto secret = ReadText(file, kMaxSecretBytes);
  if (!secret) {
    return Fail(secret.error().kind, fmt::format("{}: {}", file, secret.error().message));
  }
  while (secret->ends_with('\n') || secret->ends_with('\r')) secret->pop_back();
  return secret;
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

void Add(HeaderList& headers, const std::string& header) {
  headers.reset(curl_slist_append(headers.release(), header.c_str()));
}

}  // namespace

class HttpPost::Curl {
 public:
  Curl(const std::string& url, const HttpCredentials& credentials, Duration timeout,
       std::atomic<bool>& aborted) {
    Set(CURLOPT_URL, url.c_str());
    Set(CURLOPT_PROTOCOLS_STR, "http,https");
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_QUICK_EXIT, 1L);  // a name server that hangs is not waited for
    Set(CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
    Set(CURLOPT_NOPROGRESS, 0L);
    Set(CURLOPT_XFERINFOFUNCTION, StopIfAborted);
    Set(CURLOPT_XFERINFODATA, &aborted);
    Set(CURLOPT_WRITEFUNCTION, KeepAnswer);
    Set(CURLOPT_WRITEDATA, &answer_);
    Set(CURLOPT_ERRORBUFFER, error_);
    Set(CURLOPT_USERAGENT, "tidegauge");
    if (!credentials.ca_file.empty()) TrustOnly(credentials.ca_file);
    if (!credentials.cert_file.empty()) Set(CURLOPT_SSLCERT, credentials.cert_file.c_str());
    if (!credentials.key_file.empty()) Set(CURLOPT_SSLKEY, credentials.key_file.c_str());
  }
  ~Curl() { curl_easy_cleanup(handle_); }
  Curl(const Curl&) = delete;
  Curl& operator=(const Curl&) = delete;

  template <typename T>
  void Set(CURLoption option, T value) {
    curl_easy_setopt(handle_, option, value);
  }

  /// Not the system's authorities too; and the file is read again when it has changed.
  void TrustOnly(const std::string& ca_file) {
    Set(CURLOPT_CAINFO, ca_file.c_str());
    Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    Set(CURLOPT_CA_CACHE_TIMEOUT, 0L);
  }

  Result<void> Perform(const std::string& body, const HeaderList& headers) {
    Set(CURLOPT_HTTPHEADER, headers.get());
    Set(CURLOPT_POSTFIELDS, body.data());
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    answer_.clear();
    error_[0] = '\0';
    const CURLcode code = curl_easy_perform(handle_);
    Set(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
    if (code != CURLE_OK) {
      return Fail(ErrorKind::kUnavailable, error_[0] != '\0' ? error_ : curl_easy_strerror(code));
    }
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200 && status < 300) return {};
    return Fail(ErrorKind::kUnavailable, fmt::format("status {}: {}", status, answer_));
  }

 private:
  CURL* handle_ = curl_easy_init();
  std::string answer_;
  char error_[CURL_ERROR_SIZE] = {};
};

HttpPost::HttpPost(std::string url, HttpCredentials credentials, Duration timeout)
    : url_(std::move(url)),
      credentials_(std::move(credentials)),
      curl_(std::make_unique<Curl>(url_, credentials_, timeout, aborted_)) {}

HttpPost::~HttpPost() = default;

Result<void> HttpPost::Send(const std::string& json) {
  HeaderList headers;
  Add(headers, "Content-Type: application/json");
  if (!credentials_.bearer_token_file.empty()) {
    const auto token = ReadSecret(credentials_.bearer_token_file);
    if (!token) return std::unexpected(token.error());
    Add(headers, "Authorization: Bearer " + *token);
  }
  if (!credentials_.basic_auth_password_file.empty()) {
    const auto password = ReadSecret(credentials_.basic_auth_password_file);
    if (!password) return std::unexpected(password.error());
    curl_->Set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    curl_->Set(CURLOPT_USERNAME, credentials_.basic_auth_user.c_str());
    curl_->Set(CURLOPT_PASSWORD, password->c_str());
  }
  return curl_->Perform(json, headers);
}

}  // namespace tidegauge
