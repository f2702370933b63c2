#include "daemon/http/basic_auth.h"

#include <future>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

namespace tidegauge {
namespace {

// Of "swordfish" at cost 4, by htpasswd.
constexpr const char* kHash = "$2y$04$Ut.NesXShuqAbWSAshY2FuPJ8FRTS/PEYHbVfSiY6qBov5VkFvQqa";
std::string Basic(std::string_view name_and_password) {
  std::string text(name_and_password.size() / 3 * 4 + 5, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(name_and_password.data()),
                                   static_cast<int>(name_and_password.size()));
  text.resize(static_cast<std::size_t>(size));
  return "Basic " + text;
}

const std::string kAlice = Basic("alice:swordfish");
const std::string kWrong = Basic("alice:Swordfish");
const std::string kNobody = Basic("nobody:swordfish");

class BasicAuthTest : public testing::Test {
 protected:
  /// Waits for it, if it takes a while.
  Verdict Judge(const std::string& authorization) {
    std::promise<Verdict> later;
    const auto now =
        auth_.Check(authorization, "client", [&](Verdict verdict) { later.set_value(verdict); });
    was_remembered_ = now.has_value();
    return now ? *now : later.get_future().get();
  }

  std::shared_ptr<CheckQueue> queue_ = std::make_shared<CheckQueue>();
  BasicAuth auth_{{{"alice", kHash}}, queue_};
  bool was_remembered_ = false;
};

TEST_F(BasicAuthTest, takes_the_right_password_alone) {
  EXPECT_EQ(Judge(kAlice), Verdict::kYes);
  EXPECT_EQ(Judge(kWrong), Verdict::kNo);
  EXPECT_EQ(Judge(kNobody), Verdict::kNo);
  EXPECT_EQ(Judge(Basic(":swordfish")), Verdict::kNo);
}

TEST_F(BasicAuthTest, a_user_who_is_not_there_takes_a_check_too) {
  Judge(kNobody);
  EXPECT_FALSE(was_remembered_);
}

TEST_F(BasicAuthTest, remembers_what_was_right_and_what_was_wrong) {
  for (const std::string& authorization : {kAlice, kWrong, kNobody}) {
    const Verdict first = Judge(authorization);
    EXPECT_FALSE(was_remembered_);
    EXPECT_EQ(Judge(authorization), first);
    EXPECT_TRUE(was_remembered_);
  }
}

TEST_F(BasicAuthTest, another_reading_of_the_file_knows_nothing_of_it) {
  EXPECT_EQ(Judge(kAlice), Verdict::kYes);
  BasicAuth other({{"alice", std::string(kHash).replace(30, 1, "z")}}, queue_);
  std::promise<Verdict> later;
  EXPECT_EQ(other.Check(kAlice, "client", [&](Verdict verdict) { later.set_value(verdict); }),
            std::nullopt);
  EXPECT_EQ(later.get_future().get(), Verdict::kNo);
}

TEST_F(BasicAuthTest, wrong_ones_without_end_do_not_push_the_right_one_out) {
  EXPECT_EQ(Judge(kAlice), Verdict::kYes);
  for (int i = 0; i < 400; ++i) {
    EXPECT_EQ(Judge(Basic("alice:" + std::to_string(i))), Verdict::kNo);
  }
  EXPECT_EQ(Judge(kAlice), Verdict::kYes);
  EXPECT_TRUE(was_remembered_);
}

TEST_F(BasicAuthTest, refuses_at_once_what_is_no_name_and_password) {
  for (const std::string& strange : std::vector<std::string>{
           "", "Basic", "Basic ", "Basic !!!!", "Basic ====", "Basic A===", "Basic YWxpY2U",
           "Bearer x", "Basic YWxpY2U=", Basic(std::string_view("alice:swordfish\0x", 17))}) {
    EXPECT_EQ(Judge(strange), Verdict::kNo) << strange;
    EXPECT_TRUE(was_remembered_) << strange;
  }
  EXPECT_EQ(Judge(std::string(kAlice).replace(0, 5, "bAsIc")), Verdict::kYes);
}

TEST_F(BasicAuthTest, looks_at_72_bytes_of_a_password_as_bcrypt_does) {
  EXPECT_EQ(Judge(Basic("alice:swordfish" + std::string(5000, 'x'))), Verdict::kNo);
}

TEST_F(BasicAuthTest, says_when_too_many_are_being_checked) {
  queue_ = std::make_shared<CheckQueue>(CheckQueueLimits{.waiting = 0});
  BasicAuth auth({{"alice", kHash}}, queue_);
  EXPECT_EQ(auth.Check(kAlice, "client", [](Verdict) { FAIL(); }), Verdict::kBusy);
}

}  // namespace
}  // namespace tidegauge
