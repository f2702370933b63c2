#include "daemon/http/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(ParseListenAddress, takes_the_forms_of_prometheus) {
  EXPECT_EQ(ParseListenAddress(":10977"), (ListenAddress{"", 10977}));
  EXPECT_EQ(ParseListenAddress("gauge.example:80"), (ListenAddress{"gauge.example", 80}));
  EXPECT_EQ(ParseListenAddress("192.0.2.1:0"), (ListenAddress{"192.0.2.1", 0}));
  EXPECT_EQ(ParseListenAddress("[::1]:65535"), (ListenAddress{"::1", 65535}));
}

TEST(ParseListenAddress, refuses_everything_else_by_name) {
  for (const char* text : {"", "10977", "host", ":", "host:", ":65536", ":-1", ": 1", ":1x",
                           "::1:80", "[]:80", "[::1]80", "a]:80"}) {
    const Result<ListenAddress> address = ParseListenAddress(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().kind, ErrorKind::kInvalid) << text;
    EXPECT_THAT(address.error().message,
                testing::StartsWith("listen address \"" + std::string(text) + "\": "));
  }
}

}  // namespace
}  // namespace tidegauge
