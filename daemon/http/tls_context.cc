#include "daemon/http/tls_context.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "config/read_text.h"
#include "daemon/http/client_certificate.h"

namespace tidegauge {
namespace {

constexpr std::size_t kMaxPemBytes = 4 * 1024 * 1024;

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

/// The newest error of OpenSSL, in words; forgets the rest.
std::string WhatOpenSslSays() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = ERR_reason_error_string(error);
  return reason == nullptr ? "unknown" : reason;
}

int TlsVersionNumber(TlsVersion version) {
  constexpr std::array kNumbers{TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION, TLS1_3_VERSION};
  return kNumbers.at(static_cast<std::size_t>(version));
}

/// Otherwise OpenSSL would ask on the terminal.
int NoPassphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) { return -1; }

/// We speak HTTP/1.1 alone. A client that offers something else only is served all the same.
int ChooseProtocol(SSL* /*ssl*/, const unsigned char** chosen, unsigned char* chosen_size,
                   const unsigned char* offered, unsigned offered_size, void* /*data*/) {
  static constexpr unsigned char kOurs[] = "\x08http/1.1";
  unsigned char* protocol = nullptr;
  const int found =
      SSL_select_next_proto(&protocol, chosen_size, kOurs, sizeof kOurs - 1, offered, offered_size);
  *chosen = protocol;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

class Builder {
 public:
  explicit Builder(const TlsSettings& settings)
      : settings_(settings), context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {}

  std::expected<TlsContext, Mistakes> Build() {
    SetVersions();
    SetCiphers();
    SetCurves();
    UseCertificate();
    UseClientCa();
    SSL_CTX_set_alpn_select_cb(context_.get(), ChooseProtocol, nullptr);
    // No session is taken up again: what was withdrawn would live on in it.
    SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context_.get(), 0);
    SSL_CTX_set_options(context_.get(),
                        SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    if (settings_.prefer_server_cipher_suites) {
      SSL_CTX_set_options(context_.get(), SSL_OP_CIPHER_SERVER_PREFERENCE);
    }
    SSL_CTX_set_mode(context_.get(), SSL_MODE_RELEASE_BUFFERS);
    if (!mistakes_.empty()) return std::unexpected(InOrder(std::move(mistakes_)));
    return context_;
  }

 private:
  void Add(const std::string& setting, std::string message) {
    const auto line = settings_.lines.find(setting);
    mistakes_.push_back({line == settings_.lines.end() ? 0 : line->second, 0, std::move(message)});
  }

  void SetVersions() {
    SSL_CTX_set_min_proto_version(context_.get(), TlsVersionNumber(settings_.min_version));
    SSL_CTX_set_max_proto_version(context_.get(), TlsVersionNumber(settings_.max_version));
    // OpenSSL 3 leaves what these versions sign with to level 0.
    if (settings_.min_version < TlsVersion::kTls12) SSL_CTX_set_security_level(context_.get(), 0);
  }

  // As in Go, those of TLS 1.3 are always on.
  void SetCiphers() {
    if (settings_.cipher_suites.empty()) return;
    std::vector<std::string> names;
    for (const std::string& name : settings_.cipher_suites) {
      const std::string own = OPENSSL_cipher_name(name.c_str());
      if (own != "(NONE)" && !own.starts_with("TLS_")) names.push_back(own);
    }
    if (names.empty() && settings_.max_version < TlsVersion::kTls13) {
      Add("cipher_suites", "'cipher_suites': none of them is of a version up to 'max_version'");
    } else if (names.empty()) {
      SSL_CTX_set_min_proto_version(context_.get(), TLS1_3_VERSION);
    } else if (SSL_CTX_set_cipher_list(context_.get(),
                                       fmt::format("{}", fmt::join(names, ":")).c_str()) != 1) {
      Add("cipher_suites", fmt::format("'cipher_suites': {}", WhatOpenSslSays()));
    }
  }

  void SetCurves() {
    if (settings_.curve_preferences.empty()) return;
    std::vector<std::string> names;
    names.reserve(settings_.curve_preferences.size());
    for (const std::string& name : settings_.curve_preferences) {
      names.push_back(name == "X25519" ? name : fmt::format("P-{}", name.substr(name.size() - 3)));
    }
    if (SSL_CTX_set1_groups_list(context_.get(),
                                 fmt::format("{}", fmt::join(names, ":")).c_str()) != 1) {
      Add("curve_preferences", fmt::format("'curve_preferences': {}", WhatOpenSslSays()));
    }
  }

  /// Where a text stands, and the text. Absent: it cannot be read, which has been added.
  struct Pem {
    std::string setting;
    std::string text;
  };
  std::optional<Pem> Read(const std::string& setting, const std::string& file,
                          const std::string& inline_text) {
    if (file.empty()) return Pem{setting, inline_text};
    Pem pem{setting + "_file", {}};
    auto text = ReadText(file, kMaxPemBytes);
    if (!text) {
      Add(pem.setting, fmt::format("'{}': {}: {}", pem.setting, file, text.error().message));
      return std::nullopt;
    }
    pem.text = *std::move(text);
    return pem;
  }

  static Bio Open(const Pem& pem) {
    return {BIO_new_mem_buf(pem.text.data(), static_cast<int>(pem.text.size())), BIO_free};
  }

  void UseCertificate() {
    const auto certificate = Read("cert", settings_.cert_file, settings_.cert);
    const auto key = Read("key", settings_.key_file, settings_.key);
    const bool usable = certificate && UseChain(*certificate);
    if (!key || !UseKey(*key) || !usable) return;
    if (SSL_CTX_check_private_key(context_.get()) == 1) return;
    Add(key->setting,
        fmt::format("'{}' is not the key of '{}'", key->setting, certificate->setting));
    ERR_clear_error();
  }

  bool UseChain(const Pem& pem) {
    const Bio bio = Open(pem);
    const Certificate own(PEM_read_bio_X509_AUX(bio.get(), nullptr, NoPassphrase, nullptr),
                          X509_free);
    if (!own) {
      Add(pem.setting, fmt::format("'{}' holds no certificate in PEM form", pem.setting));
      ERR_clear_error();
      return false;
    }
    if (SSL_CTX_use_certificate(context_.get(), own.get()) != 1) {
      Add(pem.setting, fmt::format("'{}' cannot be used: {}", pem.setting, WhatOpenSslSays()));
      return false;
    }
    while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, NoPassphrase, nullptr)) {
      if (SSL_CTX_add0_chain_cert(context_.get(), next) != 1) X509_free(next);
    }
    ERR_clear_error();
    return true;
  }

  bool UseKey(const Pem& pem) {
    const Bio bio = Open(pem);
    const Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassphrase, nullptr),
                  EVP_PKEY_free);
    if (!key) {
      Add(pem.setting,
          fmt::format("'{}' holds no private key in PEM form without a passphrase", pem.setting));
      ERR_clear_error();
      return false;
    }
    // Before the certificate is there, or with another's, this fails; what is wrong is said once.
    if (SSL_CTX_get0_certificate(context_.get()) == nullptr) return false;
    if (SSL_CTX_use_PrivateKey(context_.get(), key.get()) == 1) return true;
    Add(pem.setting,
        fmt::format("'{}' is not the key of the certificate: {}", pem.setting, WhatOpenSslSays()));
    return false;
  }

  void UseClientCa() {
    AskForCertificate(*context_, settings_.client_certificate, settings_.client_allowed_sans);
    if (settings_.client_ca_file.empty() && settings_.client_ca.empty()) {
      // As in Go. Where nobody is verified it does nothing.
      SSL_CTX_set_default_verify_paths(context_.get());
      ERR_clear_error();
      return;
    }
    const auto pem = Read("client_ca", settings_.client_ca_file, settings_.client_ca);
    if (!pem) return;
    const Bio bio = Open(*pem);
    int count = 0;
    while (true) {
      const Certificate ca(PEM_read_bio_X509(bio.get(), nullptr, NoPassphrase, nullptr), X509_free);
      if (!ca) break;
      X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), ca.get());
      SSL_CTX_add_client_CA(context_.get(), ca.get());  // for clients that have several
      ++count;
    }
    ERR_clear_error();
    if (count > 0) return;
    Add(pem->setting, fmt::format("'{}' holds no certificate in PEM form", pem->setting));
  }

  const TlsSettings& settings_;
  TlsContext context_;
  Mistakes mistakes_;
};

}  // namespace

std::expected<TlsContext, Mistakes> MakeTlsContext(const TlsSettings& settings) {
  return Builder(settings).Build();
}

}  // namespace tidegauge
