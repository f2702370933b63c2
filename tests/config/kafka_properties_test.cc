#include "config/kafka_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

using testing::HasSubstr;

TEST(IsSecretName, knows_secrets_by_name) {
  for (const char* name : {"sasl.password", "ssl.key.password", "ssl.keystore.password",
                           "sasl.oauthbearer.client.secret", "sasl.jaas.config", "SASL.PASSWORD"}) {
    EXPECT_TRUE(IsSecretName(name)) << name;
  }
  for (const char* name : {"sasl.username", "security.protocol", "ssl.ca.location"}) {
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

TEST(PropertyObjection, has_nothing_against_others) {
  for (const char* name :
       {"security.protocol", "sasl.mechanism", "sasl.username", "sasl.password", "ssl.ca.location",
        "ssl.keystore.location", "client.id", "socket.timeout.ms", "debug"}) {
    EXPECT_EQ(PropertyObjection(name), std::nullopt) << name;
  }
}

TEST(ReadProperties, takes_values_from_files_without_the_last_newline) {
  const TempDirectory directory;
  directory.Write("password", "hunter2 \n");
  const auto properties =
      ReadProperties({.properties = {{"sasl.username", "gauge"}},
                      .properties_file = {{"sasl.password", directory / "password"}}});
  ASSERT_TRUE(properties);
  EXPECT_EQ(*properties, (StringMap{{"sasl.password", "hunter2 "}, {"sasl.username", "gauge"}}));
}

TEST(ReadProperties, names_property_and_file_of_what_is_missing) {
  const auto properties =
      ReadProperties({.properties_file = {{"sasl.password", "/no/such/password"}}});
  ASSERT_FALSE(properties);
  EXPECT_EQ(properties.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(properties.error().message,
            "/no/such/password for sasl.password: no such file: check the path, or create it");
}

}  // namespace
}  // namespace tidegauge
