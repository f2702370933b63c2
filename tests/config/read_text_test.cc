#include "config/read_text.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/daemon/temp_directory.h"
#include "tests/daemon/unprivileged.h"

namespace tidegauge {
namespace {

TEST(ReadText, returns_all_bytes) {
  const TempDirectory directory;
  const std::string text = std::string(100'000, 'x') + '\0' + "\xFF\r\n";
  directory.Write("file", text);
  EXPECT_EQ(ReadText(directory / "file", 1 << 20), text);
}

TEST(ReadText, takes_exactly_what_is_allowed) {
  const TempDirectory directory;
  directory.Write("file", std::string(1000, 'x'));
  EXPECT_TRUE(ReadText(directory / "file", 1000));
  const auto text = ReadText(directory / "file", 999);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error(), (Error{ErrorKind::kInvalid, "larger than 999 bytes"}));
}

TEST(ReadText, tells_errors_apart) {
  const TempDirectory directory;
  EXPECT_EQ(ReadText(directory / "none", 10).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(ReadText("/dev/null/x", 10).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(ReadText(directory / "", 10).error().kind, ErrorKind::kInvalid);
}

TEST(ReadText, says_who_needs_the_permission) {
  const TempDirectory directory;
  directory.Write("file", "x");
  std::filesystem::permissions(directory.path(), std::filesystem::perms::all);
  std::filesystem::permissions(directory / "file", std::filesystem::perms::none);
  const Unprivileged nobody;
  const auto text = ReadText(directory / "file", 10);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error(), (Error{ErrorKind::kDenied,
                                 "permission denied: let the user that runs tidegauge read it"}));
}

}  // namespace
}  // namespace tidegauge
