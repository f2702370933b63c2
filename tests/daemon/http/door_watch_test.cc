#include "daemon/http/door_watch.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/http/certificates.h"
#include "tests/daemon/temp_directory.h"

namespace tidegauge {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::string_view kUsers =
    "basic_auth_users:\n  a: $2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi\n";

/// The doors that a watch has opened.
class Doors {
 public:
  std::function<void(DoorPtr)> Use() {
    return [this](DoorPtr door) {
      const std::lock_guard lock(mutex_);
      doors_.push_back(std::move(door));
      wake_.notify_all();
    };
  }

  /// The next, or null when none comes.
  DoorPtr Next() {
    std::unique_lock lock(mutex_);
    if (!wake_.wait_for(lock, 10s, [this] { return doors_.size() > taken_; })) return nullptr;
    return doors_[taken_++];
  }

  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return doors_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<DoorPtr> doors_;
  std::size_t taken_ = 0;
};

class DoorWatchTest : public testing::Test {
 protected:
  ReadDoor ReadFile() {
    auto read = ReadDoorFile(directory_ / "web.yml");
    EXPECT_TRUE(read) << read.error();
    return read ? *std::move(read) : ReadDoor{};
  }

  void WriteTls() {
    const TestCertificate own = MakeTestCertificate();
    // Both before either is looked at.
    directory_.Write("key.pem", own.key);
    directory_.Write("cert.pem", own.certificate);
  }

  const TempDirectory directory_;
  Doors doors_;
};

TEST_F(DoorWatchTest, without_a_file_the_door_is_open) {
  const auto read = ReadDoorFile("");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->door->tls);
  EXPECT_FALSE(read->door->auth);
}

TEST_F(DoorWatchTest, a_wrong_file_is_told_with_its_lines) {
  directory_.Write("web.yml", "tls_server_config:\n  cert_file: none.pem\n  key_file: none.pem\n");
  const auto read = ReadDoorFile(directory_ / "web.yml");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), HasSubstr("web.yml:2: 'cert_file': "));
  EXPECT_THAT(read.error(), HasSubstr("web.yml:3: 'key_file': "));
}

TEST_F(DoorWatchTest, says_what_is_hardly_meant) {
  WriteTls();
  directory_.Write("web.yml",
                   "tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n"
                   "  client_auth_type: RequireAndVerifyClientCert\n");
  EXPECT_EQ(ReadFile().doubts.size(), 1U);
  directory_.Write("web.yml", kUsers);
  EXPECT_EQ(ReadFile().doubts.size(), 1U);
}

TEST_F(DoorWatchTest, a_change_of_the_file_makes_a_new_door) {
  directory_.Write("web.yml", "");
  const DoorWatch watch(ReadFile(), doors_.Use(), 5ms);
  directory_.Write("web.yml", kUsers);
  const DoorPtr door = doors_.Next();
  ASSERT_TRUE(door);
  EXPECT_TRUE(door->auth);
}

TEST_F(DoorWatchTest, a_new_certificate_behind_a_link_makes_a_new_door) {
  WriteTls();
  // As Kubernetes replaces what a secret holds.
  std::filesystem::create_symlink("cert.pem", directory_.path() / "link.pem");
  directory_.Write("web.yml", "tls_server_config:\n  cert_file: link.pem\n  key_file: key.pem\n");
  const ReadDoor read = ReadFile();
  const DoorWatch watch(read, doors_.Use(), 5ms);
  const TestCertificate next = MakeTestCertificate();
  directory_.Write("next.pem", next.certificate);
  std::filesystem::create_symlink("next.pem", directory_.path() / "new_link");
  std::filesystem::rename(directory_.path() / "new_link", directory_.path() / "link.pem");
  directory_.Write("key.pem", next.key);
  const DoorPtr door = doors_.Next();
  ASSERT_TRUE(door);
  EXPECT_NE(door->tls, read.door->tls);
}

TEST_F(DoorWatchTest, who_was_let_in_is_remembered_until_the_users_change) {
  directory_.Write("web.yml", kUsers);
  const ReadDoor read = ReadFile();
  const DoorWatch watch(read, doors_.Use(), 5ms);
  const std::string headers = "http_server_config: {headers: {X-Frame-Options: deny}}\n";
  directory_.Write("web.yml", headers + std::string(kUsers));
  const DoorPtr same = doors_.Next();
  ASSERT_TRUE(same);
  EXPECT_EQ(same->auth, read.door->auth);
  directory_.Write("web.yml", std::string(kUsers).replace(25, 1, "b"));
  const DoorPtr other = doors_.Next();
  ASSERT_TRUE(other);
  EXPECT_NE(other->auth, same->auth);
}

TEST_F(DoorWatchTest, what_is_wrong_or_empty_opens_nothing_and_what_follows_counts) {
  directory_.Write("web.yml", kUsers);
  const DoorWatch watch(ReadFile(), doors_.Use(), 1ms);
  directory_.Write("web.yml", "basic_auth_users: [a]\n");
  std::this_thread::sleep_for(30ms);
  directory_.Write("web.yml", "# nothing\n");
  std::this_thread::sleep_for(30ms);
  directory_.Write("web.yml", "http_server_config: {headers: {X-Frame-Options: deny}}\n");
  const DoorPtr door = doors_.Next();
  ASSERT_TRUE(door);
  EXPECT_EQ(door->headers.size(), 1U) << "the first that was taken";
  EXPECT_FALSE(door->auth) << "who writes that means it";
}

TEST_F(DoorWatchTest, calls_nobody_after_its_end) {
  directory_.Write("web.yml", "");
  {
    const DoorWatch watch(ReadFile(), doors_.Use(), 1ms);
  }
  directory_.Write("web.yml", kUsers);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(doors_.count(), 0U);
}

}  // namespace
}  // namespace tidegauge
