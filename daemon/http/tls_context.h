// From the settings of TLS to what OpenSSL needs for each connection.
#pragma once

#include <expected>
#include <memory>

#include "config/mistake.h"
#include "config/web_file.h"

struct ssl_ctx_st;

namespace tidegauge {

/// OpenSSL's SSL_CTX; not changed once made, so that any thread may use it.
using TlsContext = std::shared_ptr<ssl_ctx_st>;

/// Reads the files that `settings` name, and judges what is in them: certificate, key, that the two
/// belong together, the CA of the clients. The mistakes have the lines of the settings.
std::expected<TlsContext, Mistakes> MakeTlsContext(const TlsSettings& settings);

}  // namespace tidegauge
