#include "config/topic_id.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(NormaliseTopicId, reads_both_alphabets_and_padding) {
  EXPECT_EQ(NormaliseTopicId("6sdon+hdTpGDPuUqycli4g"), "6sdon+hdTpGDPuUqycli4g");
  EXPECT_EQ(NormaliseTopicId("6sdon-hdTpGDPuUqycli4g"), "6sdon+hdTpGDPuUqycli4g");
  EXPECT_EQ(NormaliseTopicId("6sdon_hdTpGDPuUqycli4g=="), "6sdon/hdTpGDPuUqycli4g");
}

TEST(NormaliseTopicId, zero_is_no_id) {
  EXPECT_EQ(NormaliseTopicId("AAAAAAAAAAAAAAAAAAAAAA"), "");
  EXPECT_EQ(NormaliseTopicId("AAAAAAAAAAAAAAAAAAAAAA=="), "");
}

TEST(NormaliseTopicId, refuses_the_rest) {
  for (const char* text :
       {"", "6sdon+hdTpGDPuUqycli4", "6sdon+hdTpGDPuUqycli4g=", "6sdon+hdTpGDPuUqycli4gg",
        "6sdon hdTpGDPuUqycli4g", "6sdon+hdTpGDPuUqycli\xC3\xBC"}) {
    EXPECT_EQ(NormaliseTopicId(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tidegauge
