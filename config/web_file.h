// The file that --web.config.file names: who may ask the HTTP server, and how. The format is that
// of Prometheus and its exporters (the web configuration of exporter-toolkit); docs/web_config.md
// says where this program is stricter.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/environment.h"
#include "config/mistake.h"
#include "config/visitor.h"

namespace tidegauge {

enum class TlsVersion { kTls10, kTls11, kTls12, kTls13 };

/// What a client has to show, by the names of Go's ClientAuthType.
enum class ClientCertificate {
  kNotAsked,             ///< NoClientCert
  kAsked,                ///< RequestClientCert
  kRequired,             ///< RequireAnyClientCert: any at all, also one of the client's own making
  kVerifiedIfGiven,      ///< VerifyClientCertIfGiven
  kRequiredAndVerified,  ///< RequireAndVerifyClientCert: the only one that keeps anybody out
};

struct TlsSettings {
  /// A file counts before the text of the same thing. The files have not been looked at.
  std::string cert_file, key_file, client_ca_file;
  std::string cert, key, client_ca;  ///< PEM
  ClientCertificate client_certificate = ClientCertificate::kNotAsked;
  /// Absent: any. Where there, one of them must be in a certificate that is given.
  std::optional<std::vector<std::string>> client_allowed_sans;
  TlsVersion min_version = TlsVersion::kTls12;
  TlsVersion max_version = TlsVersion::kTls13;
  std::vector<std::string> cipher_suites;      ///< IANA's names; up to TLS 1.2; empty: the defaults
  std::vector<std::string> curve_preferences;  ///< Go's names; empty: the defaults
  bool prefer_server_cipher_suites = true;
  std::map<std::string, int> lines;  ///< where in the file each setting stands, for who uses it
};

/// One request an `interval`, and `burst` at once. No interval: no limit.
struct RateLimit {
  Duration interval{};
  std::int64_t burst = 0;
};

struct WebFile {
  bool is_empty = false;           ///< nothing at all stands in the file
  std::optional<TlsSettings> tls;  ///< absent: plain HTTP
  StringMap headers;               ///< of each response; none is empty
  StringMap users;                 ///< name and bcrypt hash; none: nobody is asked
  RateLimit rate_limit;
};

inline constexpr std::size_t kMaxWebFileBytes = 1024 * 1024;

/// Reads strictly. Of the files that it names none is read. No mistake repeats a secret.
std::expected<WebFile, Mistakes> LoadWebFile(const std::string& file,
                                             const Environment& environment = ProcessEnvironment);

/// The same for `text`, which is the content of a file in `directory`.
std::expected<WebFile, Mistakes> ParseWebFile(std::string_view text, const std::string& directory,
                                              const Environment& environment);

}  // namespace tidegauge
