#include "config/kafka_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using testing::HasSubstr;

TEST(IsSecretName, knows_secrets_by_name) {
  for (const char* name : {"sasl.password", "ssl.key.password", "ssl.keystore.password",
                           "sasl.oauthbearer.client.secret", "sasl.jaas.config", "SASL.PASSWORD",
                           "sasl.pasword", "ssl.key.pem", "sasl.oauthbearer.config"}) {
    EXPECT_TRUE(IsSecretName(name)) << name;
  }
  for (const char* name : {"sasl.username", "security.protocol", "ssl.ca.location", "client.id",
                           "sasl.oauthbearer.token.endpoint.url", "ssl.key.location",
                           "sasl.oauthbearer.assertion.private.key.file"}) {
    EXPECT_FALSE(IsSecretName(name)) << name;
  }
}

TEST(PropertyObjection, tells_the_librdkafka_name) {
  EXPECT_THAT(*PropertyObjection("ssl.truststore.location"), HasSubstr("ssl.ca.location"));
  EXPECT_THAT(*PropertyObjection("sasl.jaas.config"), HasSubstr("sasl.username"));
  EXPECT_THAT(*PropertyObjection("request.timeout.ms"), HasSubstr("socket.timeout.ms"));
  EXPECT_THAT(*PropertyObjection("kafka.security.protocol"), HasSubstr("'security.protocol'"));
}

TEST(PropertyObjection, protects_what_keeps_us_from_writing) {
  for (const char* name : {"allow.auto.create.topics", "group.id", "enable.auto.commit",
                           "bootstrap.servers", "metadata.broker.list"}) {
    EXPECT_THAT(*PropertyObjection(name), HasSubstr("must not be set")) << name;
  }
}

TEST(PropertyObjection, names_what_takes_the_place_of_kinit) {
  for (const char* name : {"sasl.kerberos.keytab", "sasl.kerberos.principal",
                           "sasl.kerberos.kinit.cmd", "sasl.kerberos.min.time.before.relogin"}) {
    EXPECT_THAT(*PropertyObjection(name), HasSubstr("KRB5_CLIENT_KTNAME")) << name;
  }
  EXPECT_EQ(PropertyObjection("sasl.kerberos.service.name"), std::nullopt);
}

TEST(PropertyObjection, has_nothing_against_others) {
  for (const char* name :
       {"security.protocol", "sasl.mechanism", "sasl.username", "sasl.password", "ssl.ca.location",
        "ssl.keystore.location", "client.id", "socket.timeout.ms", "debug"}) {
    EXPECT_EQ(PropertyObjection(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace tidegauge
