#include "daemon/http/client_certificate.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace tidegauge {
namespace {

/// What a verification has to know; lives as long as its context.
struct Rules {
  bool verify = false;
  std::optional<std::vector<std::string>> allowed_sans;
};

void FreeRules(void* /*parent*/, void* rules, CRYPTO_EX_DATA* /*data*/, int /*index*/,
               long /*argument*/, void* /*pointer*/) {
  delete static_cast<Rules*>(rules);
}

int RulesIndex() {
  static const int kIndex = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, FreeRules);
  return kIndex;
}

std::string TextOf(const ASN1_STRING& text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(&text)),
          static_cast<std::size_t>(ASN1_STRING_length(&text))};
}

std::string AddressOf(const ASN1_STRING& bytes) {
  const int family = ASN1_STRING_length(&bytes) == 4 ? AF_INET : AF_INET6;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family == AF_INET6 && ASN1_STRING_length(&bytes) != 16) return {};
  ::inet_ntop(family, ASN1_STRING_get0_data(&bytes), text.data(), text.size());
  return text.data();
}

/// Empty: of another kind.
std::string SanText(const GENERAL_NAME& name) {
  switch (name.type) {
    case GEN_DNS:
      return TextOf(*name.d.dNSName);
    case GEN_EMAIL:
      return TextOf(*name.d.rfc822Name);
    case GEN_URI:
      return TextOf(*name.d.uniformResourceIdentifier);
    case GEN_IPADD:
      return AddressOf(*name.d.iPAddress);
    default:
      return {};
  }
}

bool HasAllowedSan(X509* certificate, const std::vector<std::string>& allowed) {
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const std::string san = SanText(*sk_GENERAL_NAME_value(names.get(), i));
    if (!san.empty() && std::ranges::find(allowed, san) != allowed.end()) return true;
  }
  return false;
}

int Verify(X509_STORE_CTX* store, void* argument) {
  const Rules& rules = *static_cast<const Rules*>(argument);
  if (rules.verify && X509_verify_cert(store) != 1) return 0;
  if (!rules.allowed_sans || HasAllowedSan(X509_STORE_CTX_get0_cert(store), *rules.allowed_sans)) {
    X509_STORE_CTX_set_error(store, X509_V_OK);
    return 1;
  }
  X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
  return 0;
}

int ModeOf(ClientCertificate asked) {
  switch (asked) {
    case ClientCertificate::kNotAsked:
      return SSL_VERIFY_NONE;
    case ClientCertificate::kAsked:
    case ClientCertificate::kVerifiedIfGiven:
      return SSL_VERIFY_PEER;
    case ClientCertificate::kRequired:
    case ClientCertificate::kRequiredAndVerified:
      return SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  }
  return SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
}

}  // namespace

void AskForCertificate(SSL_CTX& context, ClientCertificate asked,
                       const std::optional<std::vector<std::string>>& allowed_sans) {
  SSL_CTX_set_verify(&context, ModeOf(asked), nullptr);
  auto rules =
      std::make_unique<Rules>(Rules{.verify = asked == ClientCertificate::kVerifiedIfGiven ||
                                              asked == ClientCertificate::kRequiredAndVerified,
                                    .allowed_sans = allowed_sans});
  SSL_CTX_set_cert_verify_callback(&context, Verify, rules.get());
  // On failure the rules have to outlive the context all the same.
  SSL_CTX_set_ex_data(&context, RulesIndex(), rules.release());
}

}  // namespace tidegauge
