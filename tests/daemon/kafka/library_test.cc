// The library as deploy/install-deps builds it.
#include <array>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

namespace tidegauge {
namespace {

TEST(Library, has_each_way_to_log_in) {
  const std::unique_ptr<rd_kafka_conf_t, void (*)(rd_kafka_conf_t*)> conf(rd_kafka_conf_new(),
                                                                          rd_kafka_conf_destroy);
  std::array<char, 512> text{};
  std::size_t size = text.size();
  ASSERT_EQ(rd_kafka_conf_get(conf.get(), "builtin.features", text.data(), &size),
            RD_KAFKA_CONF_OK);
  const std::string features = std::string(",") + text.data() + ",";
  for (const char* feature :
       {"ssl", "sasl_plain", "sasl_scram", "sasl_gssapi", "sasl_oauthbearer", "oidc"}) {
    EXPECT_THAT(features, testing::HasSubstr(std::string(",") + feature + ","));
  }
}

}  // namespace
}  // namespace tidegauge
