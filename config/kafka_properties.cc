#include "config/kafka_properties.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace tidegauge {
namespace {

using Advice = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kNoKinit =
    "tidegauge runs no kinit: name a keytab in its environment, as KRB5_CLIENT_KTNAME, or a "
    "credential cache, as KRB5CCNAME";

// What is set here decides whether the cluster stays as it is, or whom we ask.
constexpr std::array<Advice, 11> kOwn{{
    {"allow.auto.create.topics", "tidegauge sets it, so that no topic is ever created"},
    {"bootstrap.servers", "use bootstrap_servers, beside properties"},
    {"enable.auto.commit", "tidegauge sets it: it never commits an offset"},
    {"enable.auto.offset.store", "tidegauge sets it: it never commits an offset"},
    {"group.id", "tidegauge sets it: it joins no consumer group"},
    {"group.instance.id", "tidegauge joins no consumer group"},
    {"metadata.broker.list", "use bootstrap_servers, beside properties"},
    {"sasl.kerberos.keytab", kNoKinit},
    {"sasl.kerberos.kinit.cmd", kNoKinit},
    {"sasl.kerberos.min.time.before.relogin", kNoKinit},
    {"sasl.kerberos.principal", kNoKinit},
}};

// Names of the Java client that librdkafka does not know (its CONFIGURATION.md), or, with
// request.timeout.ms, uses for producers only. People paste them from a client.properties or from
// Spark.
constexpr std::array<Advice, 21> kJava{{
    {"default.api.timeout.ms", "use timeout, beside properties"},
    {"key.deserializer", "leave it out: no record is read"},
    {"request.timeout.ms", "use timeout, beside properties, or socket.timeout.ms"},
    {"sasl.client.callback.handler.class", "librdkafka runs no Java class"},
    {"sasl.jaas.config",
     "librdkafka has no JAAS: use sasl.username and sasl.password (the latter in properties_file); "
     "for Kerberos, KRB5_CLIENT_KTNAME in tidegauge's environment"},
    {"sasl.login.callback.handler.class",
     "librdkafka runs no Java class: use sasl.oauthbearer.method: oidc with "
     "sasl.oauthbearer.client.id and sasl.oauthbearer.token.endpoint.url"},
    {"sasl.login.class", "librdkafka runs no Java class"},
    {"security.providers", "librdkafka runs no Java class"},
    {"ssl.enabled.protocols", "leave it out: OpenSSL negotiates"},
    {"ssl.keymanager.algorithm", "leave it out"},
    {"ssl.keystore.certificate.chain", "use ssl.certificate.location, a PEM file"},
    {"ssl.keystore.key", "use ssl.key.location, a PEM file"},
    {"ssl.keystore.type",
     "leave it out: ssl.keystore.location is PKCS#12; for PEM use ssl.certificate.location and "
     "ssl.key.location"},
    {"ssl.protocol", "leave it out: OpenSSL negotiates"},
    {"ssl.provider", "leave it out"},
    {"ssl.trustmanager.algorithm", "leave it out"},
    {"ssl.truststore.certificates", "use ssl.ca.location, a PEM file"},
    {"ssl.truststore.location",
     "use ssl.ca.location, a PEM file (keytool -list -rfc writes one from a truststore)"},
    {"ssl.truststore.password", "leave it out: ssl.ca.location is a PEM file and needs none"},
    {"ssl.truststore.type", "leave it out: ssl.ca.location is a PEM file"},
    {"value.deserializer", "leave it out: no record is read"},
}};

// Of logins and certificates, what an operator wants to see. Whatever else is called so may be a
// secret under a misspelt name.
constexpr std::array<std::string_view, 14> kShown{"sasl.kerberos.service.name",
                                                  "sasl.mechanism",
                                                  "sasl.mechanisms",
                                                  "sasl.oauthbearer.client.credentials.client.id",
                                                  "sasl.oauthbearer.client.id",
                                                  "sasl.oauthbearer.grant.type",
                                                  "sasl.oauthbearer.method",
                                                  "sasl.oauthbearer.scope",
                                                  "sasl.oauthbearer.token.endpoint.url",
                                                  "sasl.username",
                                                  "ssl.cipher.suites",
                                                  "ssl.curves.list",
                                                  "ssl.endpoint.identification.algorithm",
                                                  "ssl.sigalgs.list"};

bool IsOfLogin(std::string_view name) {
  return name.starts_with("sasl.") || name.starts_with("ssl.") || name.starts_with("https.");
}

template <std::size_t N>
std::optional<std::string_view> AdviceOn(const std::array<Advice, N>& table,
                                         std::string_view property) {
  const auto found = std::ranges::find(table, property, &Advice::first);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

}  // namespace

bool IsSecretName(std::string_view property) {
  const std::string name = Lower(property);
  if (name.ends_with(".location") || name.ends_with(".file")) return false;
  if (std::ranges::find(kShown, name) != kShown.end()) return false;
  constexpr auto kSecret = std::array{"password", "secret", "key", "token", "jaas"};
  return IsOfLogin(name) || std::ranges::any_of(kSecret, [&](const char* word) {
           return name.find(word) != std::string::npos;
         });
}

std::optional<std::string> PropertyObjection(std::string_view property) {
  if (const auto advice = AdviceOn(kOwn, property)) {
    return fmt::format("'{}' must not be set: {}", property, *advice);
  }
  if (const auto advice = AdviceOn(kJava, property)) {
    return fmt::format("'{}' is a setting of the Java client: {}", property, *advice);
  }
  constexpr std::string_view kSparkPrefix = "kafka.";
  if (property.starts_with(kSparkPrefix)) {
    return fmt::format("'{}': the prefix 'kafka.' is Spark's, write '{}'", property,
                       property.substr(kSparkPrefix.size()));
  }
  return std::nullopt;
}

}  // namespace tidegauge
