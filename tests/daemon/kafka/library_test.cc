// The library as deploy/install-deps builds it.
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include "daemon/kafka/client.h"
#include "daemon/kafka/list_offsets.h"
#include "daemon/kafka/mock_cluster.h"

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

// The test is that it ends at all: abort() without deploy/librdkafka/first_leader_query.patch.
TEST(Library, does_not_free_a_call_that_runs_out_while_it_is_made) {
  const auto mock = MockCluster::Start(1);
  ASSERT_TRUE(mock) << mock.error().message;
  const auto client =
      Client::Create({.name = "main", .bootstrap_servers = (*mock)->bootstrap_servers()});
  ASSERT_TRUE(client) << client.error().message;
  std::vector<OffsetQuestion> questions;
  for (int i = 0; i < 2000; ++i) {
    questions.push_back({.topic = "t" + std::to_string(i % 50), .partition = i / 50, .leader = 1});
  }
  for (int round = 0; round < 500; ++round) {
    const auto replies =
        ListOffsets(**client, questions, Deadline(std::chrono::milliseconds(round % 4)));
    ASSERT_EQ(replies.size(), questions.size());
  }
}

}  // namespace
}  // namespace tidegauge
