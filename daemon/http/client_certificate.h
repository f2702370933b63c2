// Who among the clients may connect over TLS, by their certificate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/web_file.h"

struct ssl_ctx_st;

namespace tidegauge {

/// Has `context` ask its clients as Go's ClientAuthType says, and refuse a certificate that has
/// none of `allowed_sans`, if there are any: DNS names, e-mail and IP addresses, URIs, compared as
/// text. The CAs to verify with are added by the caller.
void AskForCertificate(ssl_ctx_st& context, ClientCertificate asked,
                       const std::optional<std::vector<std::string>>& allowed_sans);

}  // namespace tidegauge
