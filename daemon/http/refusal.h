// What those are told who are not let in.
#pragma once

#include <string_view>

#include "daemon/http/basic_auth.h"
#include "daemon/http/message.h"

namespace tidegauge {

/// Not for Verdict::kYes.
HttpResponse Refusal(Verdict verdict);

/// By the rate limit.
HttpResponse TooManyRequests();

/// What a client that speaks plain HTTP to TLS gets, byte for byte: as Go answers.
inline constexpr std::string_view kThisIsHttps =
    "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

/// Where the body ends is not known, and so not where the next request begins.
HttpResponse UnknownTransferEncoding();

}  // namespace tidegauge
