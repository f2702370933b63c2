#include "daemon/clusters.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Key;
using testing::UnorderedElementsAre;

constexpr const char* kRecording =
    "cluster_id: lab\ntopics: {t: {partitions: {0: {log_start: 1, log_end: 3}}}}";

KafkaConfig Recorded(const std::string& name, const std::string& file) {
  return {.name = name, .replay_file = file, .timeout = std::chrono::milliseconds(300)};
}

TEST(Clusters, answer_each_for_itself) {
  TempDirectory directory;
  directory.Write("good.yaml", kRecording);
  directory.Write("bad.yaml", "topics: [");
  auto clusters = Clusters::Make({Recorded("good", directory / "good.yaml"),
                                  Recorded("bad", directory / "bad.yaml"),
                                  Recorded("absent", directory / "absent.yaml")});
  ASSERT_TRUE(clusters);
  const Answers answers = clusters->Ask({{"good", {"t"}}, {"bad", {"t"}}});
  EXPECT_THAT(answers, UnorderedElementsAre(Key("good"), Key("bad"), Key("absent")));
  ASSERT_TRUE(answers.at("good").answer);
  EXPECT_EQ(answers.at("good").answer->topics.at("t").partitions.at(0).log_end, 3);
  for (const char* name : {"bad", "absent"}) {
    ASSERT_FALSE(answers.at(name).answer);
    EXPECT_THAT(answers.at(name).answer.error().message, HasSubstr(name));
  }
}

TEST(Clusters, ask_again_only_those_that_are_named) {
  TempDirectory directory;
  directory.Write("good.yaml", kRecording);
  auto clusters = Clusters::Make(
      {Recorded("good", directory / "good.yaml"), Recorded("absent", directory / "absent.yaml")});
  ASSERT_TRUE(clusters);
  EXPECT_THAT(clusters->AskAgain({{"good", {"t"}}}), UnorderedElementsAre(Key("good")));
}

TEST(Clusters, read_a_recording_again_at_each_question) {
  TempDirectory directory;
  directory.Write("kafka.yaml", kRecording);
  auto clusters = Clusters::Make({Recorded("main", directory / "kafka.yaml")});
  ASSERT_TRUE(clusters);
  EXPECT_EQ(clusters->Ask({}).at("main").answer->cluster_id, "lab");
  directory.Write("kafka.yaml", "cluster_id: other\ntopics: {}");
  EXPECT_EQ(clusters->Ask({}).at("main").answer->cluster_id, "other");
}

TEST(Clusters, do_not_wait_for_a_recording_that_cannot_be_read) {
  TempDirectory directory;
  const std::string file = directory / "fifo.yaml";
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  auto clusters = Clusters::Make({Recorded("main", file)});
  ASSERT_TRUE(clusters);
  const Answers answers = clusters->Ask({});
  ASSERT_FALSE(answers.at("main").answer);
  EXPECT_THAT(answers.at("main").answer.error().message,
              AllOf(HasSubstr(file), HasSubstr("0.3 s")));
  std::ofstream(file) << kRecording;  // lets the thread that reads go
}

TEST(Clusters, that_did_not_change_are_the_same_after_a_reload) {
  std::vector<KafkaConfig> kafka = {Recorded("kept", "/a.yaml"), Recorded("changed", "/b.yaml")};
  const auto before = Clusters::Make(kafka);
  ASSERT_TRUE(before);
  kafka[1].timeout = std::chrono::seconds(7);
  kafka.push_back(Recorded("new", "/a.yaml"));
  const auto after = Clusters::Make(kafka, &*before);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->MemberOf(kafka[0]), before->MemberOf(kafka[0]));
  EXPECT_EQ(before->MemberOf(kafka[1]), nullptr);
  EXPECT_NE(after->MemberOf(kafka[1]), nullptr);
  EXPECT_NE(after->MemberOf(kafka[2]), nullptr);
}

TEST(Clusters, name_the_property_whose_secret_cannot_be_read) {
  KafkaConfig kafka{.name = "main", .bootstrap_servers = "127.0.0.1:1"};
  kafka.properties_file = {{"sasl.password", "/no/such/file"}};
  const auto clusters = Clusters::Make({kafka});
  ASSERT_FALSE(clusters);
  EXPECT_EQ(clusters.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(clusters.error().message,
              AllOf(HasSubstr("main"), HasSubstr("sasl.password"), HasSubstr("/no/such/file")));
}

TEST(Clusters, name_a_property_that_is_none) {
  KafkaConfig kafka{.name = "main", .bootstrap_servers = "127.0.0.1:1"};
  kafka.properties = {{"no.such.property", "1"}};
  const auto clusters = Clusters::Make({kafka});
  ASSERT_FALSE(clusters);
  EXPECT_EQ(clusters.error().kind, ErrorKind::kInvalid);
  EXPECT_THAT(clusters.error().message, HasSubstr("no.such.property"));
}

}  // namespace
}  // namespace tidegauge
