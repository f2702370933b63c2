#include "daemon/http/tls_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "tests/daemon/http/certificates.h"
#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

using testing::HasSubstr;

class TlsContextTest : public testing::Test {
 protected:
  TlsContextTest() {
    settings_.cert = own_.certificate;
    settings_.key = own_.key;
    settings_.lines = {{"cert", 2},     {"key", 3},       {"cert_file", 4},
                       {"key_file", 5}, {"client_ca", 6}, {"cipher_suites", 7}};
  }

  std::string Mistakes() {
    const auto made = MakeTlsContext(settings_);
    return made ? "none" : Render("f", made.error());
  }

  const TestCertificate own_ = MakeTestCertificate();
  TlsSettings settings_;
};

TEST_F(TlsContextTest, is_made_of_texts_or_of_files_which_come_first) {
  EXPECT_EQ(Mistakes(), "none");
  const TempDirectory directory;
  directory.Write("cert.pem", own_.certificate);
  settings_.cert_file = directory / "cert.pem";
  settings_.cert = "rubbish";
  EXPECT_EQ(Mistakes(), "none");
}

TEST_F(TlsContextTest, says_which_file_cannot_be_read) {
  settings_.cert_file = "/nowhere/cert.pem";
  settings_.key_file = "/nowhere/key.pem";
  EXPECT_THAT(Mistakes(), HasSubstr("f:4: 'cert_file': /nowhere/cert.pem: "));
  EXPECT_THAT(Mistakes(), HasSubstr("f:5: 'key_file': /nowhere/key.pem: "));
}

TEST_F(TlsContextTest, says_what_is_wrong_with_a_certificate_or_key) {
  settings_.cert = "rubbish";
  EXPECT_EQ(Mistakes(), "f:2: 'cert' holds no certificate in PEM form\n");
  settings_.cert = own_.certificate;
  settings_.key = "";
  EXPECT_EQ(Mistakes(), "f:3: 'key' holds no private key in PEM form without a passphrase\n");
  settings_.key = MakeTestCertificate().key;
  EXPECT_THAT(Mistakes(), HasSubstr("f:3: 'key' is not the key of "));
}

TEST_F(TlsContextTest, a_key_with_a_passphrase_is_refused_without_asking) {
  settings_.key =
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
      "MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBAAAAAAAAAAAAAAAAAA\n"
      "-----END ENCRYPTED PRIVATE KEY-----\n";
  EXPECT_THAT(Mistakes(), HasSubstr("without a passphrase"));
}

TEST_F(TlsContextTest, a_ca_without_certificates_is_a_mistake) {
  settings_.client_certificate = ClientCertificate::kRequiredAndVerified;
  settings_.client_ca = "rubbish";
  EXPECT_EQ(Mistakes(), "f:6: 'client_ca' holds no certificate in PEM form\n");
}

TEST_F(TlsContextTest, knows_every_cipher_suite_and_curve_that_the_file_may_name) {
  settings_.cipher_suites = {"TLS_AES_128_GCM_SHA256",
                             "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                             "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                             "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                             "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                             "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                             "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                             "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
                             "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                             "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
                             "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
                             "TLS_RSA_WITH_AES_128_GCM_SHA256",
                             "TLS_RSA_WITH_AES_256_GCM_SHA384",
                             "TLS_RSA_WITH_AES_128_CBC_SHA",
                             "TLS_RSA_WITH_AES_256_CBC_SHA"};
  settings_.curve_preferences = {"CurveP256", "CurveP384", "CurveP521", "X25519"};
  const auto made = MakeTlsContext(settings_);
  ASSERT_TRUE(made) << Render("f", made.error());
  const STACK_OF(SSL_CIPHER)* ciphers = SSL_CTX_get_ciphers(made->get());
  int before_1_3 = 0;
  for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); ++i) {
    const std::string version = SSL_CIPHER_get_version(sk_SSL_CIPHER_value(ciphers, i));
    before_1_3 += version == "TLSv1.3" ? 0 : 1;
  }
  EXPECT_EQ(before_1_3, 14);
}

TEST_F(TlsContextTest, suites_of_1_3_alone_leave_1_3_alone) {
  settings_.cipher_suites = {"TLS_AES_128_GCM_SHA256"};
  const auto made = MakeTlsContext(settings_);
  ASSERT_TRUE(made);
  EXPECT_EQ(SSL_CTX_get_min_proto_version(made->get()), TLS1_3_VERSION);
}

}  // namespace
}  // namespace tidegauge
