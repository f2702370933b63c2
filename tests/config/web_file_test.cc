#include "config/web_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::string_view kHash = "$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi";

std::optional<std::string> TestEnvironment(const std::string& name) {
  if (name == "CREDENTIALS_DIRECTORY") return "/run/credentials/tidegauge";
  return std::nullopt;
}

std::expected<WebFile, Mistakes> Parse(std::string_view text) {
  return ParseWebFile(text, "/etc/tidegauge/", TestEnvironment);
}

/// All mistakes, as they are shown.
std::string MistakesIn(std::string_view text) {
  const auto parsed = Parse(text);
  return parsed ? "none" : Render("f", parsed.error());
}

TEST(WebFile, of_which_nothing_is_left_is_plain_http) {
  for (const std::string_view text : {"", "\n", "# tls_server_config:\n", "---\n"}) {
    const auto file = Parse(text);
    ASSERT_TRUE(file) << text;
    EXPECT_TRUE(file->is_empty);
    EXPECT_FALSE(file->tls);
    EXPECT_TRUE(file->users.empty());
  }
}

TEST(WebFile, has_the_defaults_of_the_exporters) {
  const auto file = Parse("tls_server_config: {cert_file: c.pem, key_file: /k.pem}");
  ASSERT_TRUE(file) << Render("f", file.error());
  ASSERT_TRUE(file->tls);
  EXPECT_FALSE(file->is_empty);
  EXPECT_EQ(file->tls->cert_file, "/etc/tidegauge/c.pem");
  EXPECT_EQ(file->tls->key_file, "/k.pem");
  EXPECT_EQ(file->tls->min_version, TlsVersion::kTls12);
  EXPECT_EQ(file->tls->max_version, TlsVersion::kTls13);
  EXPECT_EQ(file->tls->client_certificate, ClientCertificate::kNotAsked);
  EXPECT_EQ(file->tls->client_allowed_sans, std::nullopt);
  EXPECT_TRUE(file->tls->prefer_server_cipher_suites);
}

TEST(WebFile, takes_every_setting) {
  const auto file = Parse(fmt::format(R"(
tls_server_config:
  cert: inline
  key_file: ${{CREDENTIALS_DIRECTORY}}/key
  client_ca_file: ca.pem
  client_auth_type: VerifyClientCertIfGiven
  client_allowed_sans: [a.example, 192.0.2.1]
  min_version: TLS10
  max_version: TLS12
  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]
  curve_preferences: [X25519, CurveP521]
  prefer_server_cipher_suites: false
http_server_config:
  http2: false
  headers:
    X-XSS-Protection: 1
    X-Frame-Options: sameorigin
    Strict-Transport-Security: ""
basic_auth_users:
  alice: {}
rate_limit: {{interval: 10ms, burst: 20}}
)",
                                      kHash));
  ASSERT_TRUE(file) << Render("f", file.error());
  EXPECT_EQ(file->tls->cert, "inline");
  EXPECT_EQ(file->tls->key_file, "/run/credentials/tidegauge/key");
  EXPECT_EQ(file->tls->client_certificate, ClientCertificate::kVerifiedIfGiven);
  EXPECT_THAT(*file->tls->client_allowed_sans, ElementsAre("a.example", "192.0.2.1"));
  EXPECT_EQ(file->tls->min_version, TlsVersion::kTls10);
  EXPECT_THAT(file->tls->curve_preferences, ElementsAre("X25519", "CurveP521"));
  EXPECT_FALSE(file->tls->prefer_server_cipher_suites);
  EXPECT_EQ(file->tls->lines.at("client_ca_file"), 5);
  EXPECT_THAT(file->headers,
              ElementsAre(Pair("X-Frame-Options", "sameorigin"), Pair("X-XSS-Protection", "1")));
  EXPECT_THAT(file->users, ElementsAre(Pair("alice", std::string(kHash))));
  EXPECT_EQ(file->rate_limit.interval, Duration(10));
  EXPECT_EQ(file->rate_limit.burst, 20);
}

TEST(WebFile, an_empty_list_of_names_lets_nobody_in_and_none_everybody) {
  constexpr std::string_view kTls =
      "tls_server_config: {{cert: c, key: k, client_allowed_sans: {}}}";
  EXPECT_EQ(Parse(fmt::format(kTls, "[]"))->tls->client_allowed_sans, std::vector<std::string>());
  EXPECT_EQ(Parse(fmt::format(kTls, "~"))->tls->client_allowed_sans, std::nullopt);
}

TEST(WebFile, says_every_mistake_with_its_line) {
  EXPECT_EQ(MistakesIn(R"(tls_server_config:
  cert_filse: c.pem
  key_file: k.pem
  client_ca_file: ca.pem
  client_auth_type: Maybe
  min_version: TLS111
  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA2048]
  curve_preferences: CurveP256
  prefer_server_cipher_suites: perhaps
http_server_config:
  headers:
    Content-Type: foo
    X-Frame-Options: foo
    X-XSS-Protection: "a\nb"
basic_auth_user: {}
basic_auth_users:
  a:b: doe
rate_limit: {interval: 1s}
)"),
            R"(f:2: 'cert_file' is missing
f:2: there is a CA for clients, but 'client_auth_type' asks for no certificate: set it to RequireAndVerifyClientCert
f:2: unknown key 'cert_filse', did you mean 'cert_file'?
f:5: 'client_auth_type' must be NoClientCert, RequestClientCert, RequireAnyClientCert, VerifyClientCertIfGiven or RequireAndVerifyClientCert, not 'Maybe'
f:6: 'min_version' must be one of TLS10, TLS11, TLS12, TLS13, not 'TLS111'
f:7: 'cipher_suites': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA2048' is not known, did you mean 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'?
f:8: 'curve_preferences' must be a list, each entry after a '-', not text
f:9: 'prefer_server_cipher_suites' must be true or false, not 'perhaps'
f:12: the header 'Content-Type' cannot be set, known: Content-Security-Policy, Strict-Transport-Security, X-Content-Type-Options, X-Frame-Options, X-XSS-Protection
f:13: 'X-Frame-Options' must be deny or sameorigin, not 'foo'
f:14: 'X-XSS-Protection' must be one line
f:15: unknown key 'basic_auth_user', did you mean 'basic_auth_users'?
f:17: 'a:b': no name holds a ':'
f:17: the password of 'a:b' is no bcrypt hash: make one with htpasswd -nBC 10 "" | tr -d ':\n'
f:18: 'burst' must be at least 1 where there is an 'interval': with none, every request is refused
)");
}

TEST(WebFile, settings_of_tls_without_a_certificate_are_a_mistake_and_not_plain_http) {
  EXPECT_THAT(MistakesIn("tls_server_config: {min_version: TLS13}"),
              HasSubstr("'cert_file' is missing"));
  EXPECT_THAT(MistakesIn("tls_server_config: {cert_file: a, key_file: ''}"),
              HasSubstr("'key_file' is missing"));
}

TEST(WebFile, an_order_of_versions_that_lets_nobody_in_is_a_mistake) {
  EXPECT_THAT(MistakesIn("tls_server_config: {cert: a, key: b, max_version: TLS11}"),
              HasSubstr("is above 'max_version'"));
}

TEST(WebFile, knows_a_bcrypt_hash_and_never_repeats_what_is_none) {
  const std::string good(kHash);
  for (const char* prefix : {"$2a", "$2b", "$2x", "$2y"}) {
    EXPECT_EQ(MistakesIn(fmt::format("basic_auth_users: {{u: {}{}}}", prefix, good.substr(3))),
              "none");
  }
  for (const std::string& bad :
       {std::string("hunter2"), good.substr(1), good.substr(0, 59), good + "x",
        "$1" + good.substr(2), "$2y$03" + good.substr(6), "$2y$32" + good.substr(6),
        good.substr(0, 20) + "!" + good.substr(21)}) {
    const std::string mistakes = MistakesIn(fmt::format("basic_auth_users: {{u: '{}'}}", bad));
    EXPECT_THAT(mistakes, HasSubstr("the password of 'u' is no bcrypt hash"));
    EXPECT_THAT(mistakes, testing::Not(HasSubstr(bad)));
  }
  EXPECT_THAT(MistakesIn("basic_auth_users: {u: }"), HasSubstr("'u' has no value"));
}

TEST(WebFile, that_is_something_else_is_refused) {
  EXPECT_THAT(MistakesIn("hWkNKCp3fvIx3jKnsaBI\n"), HasSubstr("f:1: the file must be a mapping"));
  EXPECT_THAT(MistakesIn("- a\n"), HasSubstr("not a list"));
  EXPECT_THAT(MistakesIn("tls_server_config: x\n"), HasSubstr("must be a mapping of settings"));
}

TEST(WebFile, that_is_not_there_is_a_mistake_of_the_file) {
  const auto file = LoadWebFile("/nowhere/web.yml", TestEnvironment);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().front().line, 0);
}

}  // namespace
}  // namespace tidegauge
