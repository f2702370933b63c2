#include "daemon/kafka/client_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/kafka/fake_files.h"

namespace tidegauge {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

KafkaClientSettings With(std::map<std::string, std::string> properties) {
  return {.name = "main", .bootstrap_servers = "broker1:9093", .properties = std::move(properties)};
}

TEST(ClientFiles, give_a_secret_without_the_line_break_at_its_end) {
  FakeFiles files;
  files.content["/password"] = "hunter2 \r\n";
  const ClientFiles client(With({{"sasl.username", "gauge"}}), {{"sasl.password", "/password"}},
                           files.reader());
  const auto material = client.Read();
  ASSERT_TRUE(material) << material.error().message;
  EXPECT_EQ(material->settings, With({{"sasl.password", "hunter2 "}, {"sasl.username", "gauge"}}));
}

TEST(ClientFiles, name_cluster_property_and_file_of_a_secret_that_is_missing_or_empty) {
  FakeFiles files;
  const ClientFiles client(With({}), {{"sasl.password", "/password"}}, files.reader());
  const auto says_where =
      AllOf(HasSubstr("main"), HasSubstr("sasl.password"), HasSubstr("/password"));
  const auto missing = client.Read();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(missing.error().message, says_where);
  files.content["/password"] = "\n";
  const auto empty = client.Read();
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().kind, ErrorKind::kInvalid);
  EXPECT_THAT(empty.error().message, says_where);
}

TEST(ClientFiles, differ_when_a_file_that_a_property_names_has_changed) {
  const std::string key = "sasl.oauthbearer.assertion.private.key.file";
  for (const std::string& property :
       {std::string("ssl.certificate.location"), std::string("ssl.key.location"),
        std::string("ssl.ca.location"), std::string("ssl.keystore.location"),
        std::string("https.ca.location"), key}) {
    FakeFiles files;
    files.content["/file"] = "one";
    const ClientFiles client(With({{property, "/file"}}), {}, files.reader());
    const auto one = client.Read();
    EXPECT_EQ(*one, *client.Read()) << property;
    files.content["/file"] = "two";
    EXPECT_NE(*one, *client.Read()) << property;
    files.content.clear();
    const auto none = client.Read();
    ASSERT_TRUE(none) << "whoever makes a client of it says what is missing";
    EXPECT_NE(*one, *none) << property;
  }
}

TEST(ClientFiles, look_at_no_file_that_is_only_named_in_passing) {
  FakeFiles files;
  const ClientFiles client(With({{"client.id", "/file"}}), {}, files.reader());
  const auto before = client.Read();
  files.content["/file"] = "two";
  EXPECT_EQ(*before, *client.Read());
}

TEST(ClientFiles, need_no_reader_where_there_is_no_file) {
  EXPECT_TRUE(ClientFiles(With({{"client.id", "x"}}), {}, {}).Read());
}

}  // namespace
}  // namespace tidegauge
