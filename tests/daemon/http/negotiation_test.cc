#include "daemon/http/negotiation.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

int Text(std::string_view accept) { return AcceptQuality(accept, "text/plain", "0.0.4"); }

int OpenMetrics(std::string_view accept) {
  return AcceptQuality(accept, "application/openmetrics-text", "1.0.0");
}

TEST(AcceptQuality, reads_what_prometheus_2_sends) {
  constexpr std::string_view kAccept =
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;"
      "q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
  EXPECT_EQ(OpenMetrics(kAccept), 1000);
  EXPECT_EQ(Text(kAccept), 500);
}

TEST(AcceptQuality, reads_what_prometheus_3_sends) {
  constexpr std::string_view kAccept =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
      "application/openmetrics-text;version=0.0.1;q=0.4,"
      "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,"
      "*/*;q=0.1";
  EXPECT_EQ(OpenMetrics(kAccept), 500);
  EXPECT_EQ(Text(kAccept), 200);
}

TEST(AcceptQuality, lets_the_most_specific_range_decide) {
  EXPECT_EQ(Text("*/*"), 1000);
  EXPECT_EQ(Text("text/*;q=0.3, */*;q=0.9"), 300);
  EXPECT_EQ(Text("*/*, text/plain;q=0.25"), 250);
  EXPECT_EQ(Text("text/plain;q=0, */*"), 0);
  EXPECT_EQ(Text("text/plain;version=0.0.3, text/plain;q=0.2"), 200);
}

TEST(AcceptQuality, is_zero_for_what_is_not_there) {
  EXPECT_EQ(Text(""), 0);
  EXPECT_EQ(Text("text/html, application/json"), 0);
  EXPECT_EQ(OpenMetrics("application/openmetrics-text;version=0.0.1"), 0);
}

TEST(AcceptQuality, takes_case_blanks_and_quotes_as_they_come) {
  EXPECT_EQ(Text(" TEXT/Plain ; Version=\"0.0.4\" ; Q=0.125 "), 125);
  EXPECT_EQ(Text("text/plain;q=x"), 1000);
  EXPECT_EQ(Text("text/plain;q=1.000"), 1000);
  EXPECT_EQ(Text("text/plain;q=0."), 0);
  EXPECT_EQ(Text(",;,=,text/plain;;q=0.5,"), 500);
}

TEST(AcceptsGzip, reads_weights) {
  EXPECT_TRUE(AcceptsGzip("gzip"));
  EXPECT_TRUE(AcceptsGzip("deflate, GZIP;q=0.5"));
  EXPECT_TRUE(AcceptsGzip("*"));
  EXPECT_FALSE(AcceptsGzip(""));
  EXPECT_FALSE(AcceptsGzip("identity"));
  EXPECT_FALSE(AcceptsGzip("gzip;q=0, *"));
  EXPECT_FALSE(AcceptsGzip("*;q=0"));
}

}  // namespace
}  // namespace tidegauge
