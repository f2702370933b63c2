#include "config/address.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(CheckListenAddress, accepts_what_listens) {
  for (const char* text : {":10977", "0.0.0.0:80", "localhost:0", "[::]:10977", "[fe80::1]:1"}) {
    EXPECT_TRUE(CheckListenAddress(text)) << text;
  }
}

TEST(CheckListenAddress, refuses_the_rest) {
  for (const char* text : {"", "10977", "localhost", ":", ":http", ":65536", ":-1", "a b:1",
                           "::1:80", "[::1]", "http://x:80", "[]:80"}) {
    EXPECT_FALSE(CheckListenAddress(text)) << text;
  }
}

TEST(CheckBootstrapServers, accepts_what_librdkafka_does) {
  for (const char* text : {"broker1:9092", "broker1", "a:1,b:2", "a:1, b:2", "SASL_SSL://a:9092",
                           "[::1]:9092", "10.0.0.1:9092"}) {
    EXPECT_TRUE(CheckBootstrapServers(text)) << text;
  }
}

TEST(CheckBootstrapServers, refuses_the_rest) {
  for (const char* text :
       {"", ",", "a:1,", "a:1;b:2", "a:1 b:2", "a:x", "http://a:1/path", ":9092"}) {
    EXPECT_FALSE(CheckBootstrapServers(text)) << text;
  }
}

TEST(CheckUrls, accepts_http_and_https_with_or_without_a_path) {
  for (const char* text : {"http://a", "https://a:1/b/", "http://[::1]:9093, http://b"}) {
    EXPECT_TRUE(CheckUrls(text)) << text;
  }
}

TEST(CheckUrls, refuses_the_rest) {
  for (const char* text : {"", "a:9093", "ftp://a", "http://", "http:///b", "http://u:p@a",
                           "http://a,", "http://a b", "http://a?x", "http://a:x"}) {
    EXPECT_FALSE(CheckUrls(text)) << text;
  }
}

TEST(SplitUrls, drops_blanks_and_the_slashes_at_the_end) {
  EXPECT_EQ(SplitUrls("http://a/, https://b:1/c// "),
            (std::vector<std::string>{"http://a", "https://b:1/c"}));
  EXPECT_TRUE(SplitUrls("").empty());
}

}  // namespace
}  // namespace tidegauge
