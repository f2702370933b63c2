#include "daemon/kafka/current_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/kafka/fake_files.h"
#include "tests/daemon/kafka/mock_fixture.h"

namespace tidegauge {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class CurrentClientTest : public MockFixture {
 protected:
  CurrentClientTest() { Create("orders", 1); }

  /// A client whose `property` is the content of /file.
  CurrentClient Make(const std::string& property, const std::string& content) {
    files.content["/file"] = content;
    auto made =
        CurrentClient::Make({{.name = "main", .bootstrap_servers = mock->bootstrap_servers()},
                             {{property, "/file"}},
                             files.reader()});
    if (!made) throw std::runtime_error(made.error().message);
    return *std::move(made);
  }

  static void ExpectAnswer(CurrentClient& client) {
    const auto answer = client.Describe({"orders"}, Deadline(kPatience));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->topics.at("orders").presence, TopicPresence::kPresent);
  }

  FakeFiles files;
};

TEST_F(CurrentClientTest, stays_while_its_files_do) {
  CurrentClient client = Make("client.id", "one");
  const Client* before = &client.get();
  ExpectAnswer(client);
  ExpectAnswer(client);
  EXPECT_EQ(&client.get(), before);
}

TEST_F(CurrentClientTest, is_another_one_when_a_file_has_changed) {
  CurrentClient client = Make("client.id", "one");
  ExpectAnswer(client);
  const Client* before = &client.get();
  files.content["/file"] = "two";
  ExpectAnswer(client);
  EXPECT_NE(&client.get(), before);
}

TEST_F(CurrentClientTest, stays_when_a_file_is_gone_empty_or_half_written) {
  CurrentClient client = Make("socket.timeout.ms", "3000");
  const Client* before = &client.get();
  testing::internal::CaptureStderr();
  for (const char* content : {"", "\n", "soon"}) {
    files.content["/file"] = content;
    ExpectAnswer(client);
    ExpectAnswer(client);
  }
  files.content.clear();
  ExpectAnswer(client);
  EXPECT_EQ(&client.get(), before);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("socket.timeout.ms"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3) << "once for empty, invalid, gone:\n"
                                                         << log;

  files.content["/file"] = "4000";
  ExpectAnswer(client);
  EXPECT_NE(&client.get(), before);
}

TEST_F(CurrentClientTest, complains_once_of_a_file_that_is_gone_and_again_when_it_went_again) {
  CurrentClient client = Make("client.id", "one");
  testing::internal::CaptureStderr();
  for (int time = 0; time < 2; ++time) {
    files.content.clear();
    ExpectAnswer(client);
    ExpectAnswer(client);
    files.content["/file"] = "one";
    ExpectAnswer(client);
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 2) << log;
}

TEST_F(CurrentClientTest, stays_until_the_new_one_is_let_in) {
  CurrentClient client = Make("security.protocol", "plaintext");
  ExpectAnswer(client);
  const Client* before = &client.get();
  files.content["/file"] = "ssl";  // which the mock does not speak
  for (int poll = 0; poll < 2; ++poll) {
    const Stopwatch watch;
    const auto answer = client.Describe({"orders"}, Deadline(milliseconds(600)));
    EXPECT_TRUE(answer) << answer.error().message;
    EXPECT_LT(watch.Elapsed(), milliseconds(600) + kSlack);
    EXPECT_EQ(&client.get(), before);
  }
  files.content["/file"] = "plaintext";
  ExpectAnswer(client);
  EXPECT_NE(&client.get(), before);
}

TEST_F(CurrentClientTest, is_made_of_the_newest_files_once_the_old_ones_serve_no_more) {
  CurrentClient client = Make("client.id", "one");
  ExpectAnswer(client);
  const Client* before = &client.get();
  mock->SetDown(MockCluster::kAllBrokers);
  files.content["/file"] = "two";
  for (int poll = 0; poll < 3; ++poll) {
    const Stopwatch watch;
    EXPECT_FALSE(client.Describe({"orders"}, Deadline(milliseconds(300))));
    EXPECT_LT(watch.Elapsed(), milliseconds(300) + kSlack);
  }
  EXPECT_NE(&client.get(), before);
  mock->SetUp(MockCluster::kAllBrokers);
  const Stopwatch watch;
  while (!client.Describe({"orders"}, Deadline(milliseconds(500)))) {
    ASSERT_LT(watch.Elapsed(), kPatience);
  }
}

TEST_F(CurrentClientTest, cannot_begin_with_a_file_that_is_not_there) {
  const auto made = CurrentClient::Make({{.name = "main", .bootstrap_servers = "127.0.0.1:1"},
                                         {{"sasl.password", "/no"}},
                                         files.reader()});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tidegauge
