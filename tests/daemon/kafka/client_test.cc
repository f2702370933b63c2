#include "daemon/kafka/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

using ::testing::HasSubstr;

KafkaClientSettings With(std::map<std::string, std::string> properties) {
  return {.name = "main", .bootstrap_servers = "127.0.0.1:1", .properties = std::move(properties)};
}

void ExpectInvalid(const KafkaClientSettings& settings, const std::string& property) {
  const auto client = Client::Create(settings);
  ASSERT_FALSE(client) << property;
  EXPECT_EQ(client.error().kind, ErrorKind::kInvalid);
  EXPECT_THAT(client.error().message, HasSubstr(property));
  EXPECT_THAT(client.error().message, HasSubstr("main"));
}

TEST(Client, takes_the_librarys_own_properties) {
  EXPECT_TRUE(Client::Create(With({{"client.id", "x"}, {"socket.timeout.ms", "3000"}})));
  EXPECT_TRUE(Client::Create(With({{"security.protocol", "SASL_SSL"},
                                   {"sasl.mechanism", "SCRAM-SHA-512"},
                                   {"sasl.username", "gauge"},
                                   {"sasl.password", "secret"}})));
}

TEST(Client, names_the_property_that_does_not_exist) {
  ExpectInvalid(With({{"sasl.pasword", "hunter2"}}), "sasl.pasword");
}

TEST(Client, keeps_the_value_of_an_unknown_property_to_itself) {
  const auto client = Client::Create(With({{"sasl.pasword", "hunter2"}}));
  EXPECT_THAT(client.error().message, ::testing::Not(HasSubstr("hunter2")));
}

TEST(Client, names_the_property_with_a_wrong_value) {
  ExpectInvalid(With({{"socket.timeout.ms", "soon"}}), "socket.timeout.ms");
}

TEST(Client, names_what_is_wrong_only_in_combination) {
  ExpectInvalid(With({{"security.protocol", "SSL"}, {"ssl.ca.location", "/nowhere/ca.pem"}}),
                "ssl.ca.location");
}

TEST(Client, refuses_what_would_change_the_cluster) {
  for (const char* property : {"allow.auto.create.topics", "enable.auto.commit"}) {
    ExpectInvalid(With({{property, "true"}}), property);
    EXPECT_TRUE(Client::Create(With({{property, "false"}}))) << property;
  }
  for (const char* property : {"group.id", "group.instance.id", "bootstrap.servers",
                               "metadata.broker.list", "plugin.library.paths"}) {
    ExpectInvalid(With({{property, "x"}}), property);
  }
}

TEST(Client, wants_to_know_where_tokens_come_from) {
  const std::map<std::string, std::string> oauth = {{"security.protocol", "SASL_SSL"},
                                                    {"sasl.mechanism", "OAUTHBEARER"}};
  ExpectInvalid(With(oauth), "sasl.oauthbearer.method");
  auto oidc = oauth;
  oidc.insert({{"sasl.oauthbearer.method", "oidc"},
               {"sasl.oauthbearer.client.id", "gauge"},
               {"sasl.oauthbearer.client.secret", "secret"},
               {"sasl.oauthbearer.token.endpoint.url", "https://127.0.0.1:1/token"}});
  const auto client = Client::Create(With(oidc));
  EXPECT_TRUE(client) << client.error().message;
}

TEST(Client, needs_somewhere_to_start) {
  ExpectInvalid({.name = "main", .bootstrap_servers = ""}, "bootstrap_servers");
}

}  // namespace
}  // namespace tidegauge
