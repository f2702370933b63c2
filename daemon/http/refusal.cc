#include "daemon/http/refusal.h"

namespace tidegauge {

HttpResponse Refusal(Verdict verdict) {
  if (verdict == Verdict::kBusy) {
    return {.status = 503,
            .headers = {{"Retry-After", "1"}},
            .body = "Too many passwords are being checked. Try again.\n"};
  }
  return {.status = 401,
          .headers = {{"WWW-Authenticate", "Basic realm=\"tidegauge\""}},
          .body = "Unauthorized\n"};
}

HttpResponse TooManyRequests() {
  return {.status = 429,
          .headers = {{"Retry-After", "1"}},
          .body = "Too many requests: see rate_limit in the web configuration.\n"};
}

HttpResponse UnknownTransferEncoding() {
  return {.status = 501, .body = "This Transfer-Encoding is not known.\n"};
}

}  // namespace tidegauge
