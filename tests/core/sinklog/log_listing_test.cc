#include "core/sinklog/log_listing.h"

#include <gmock/gmock.h>

namespace tidegauge {
namespace {

using ::testing::ElementsAre;

TEST(LogListing, TakesTheNamesThatSparkWouldTake) {
  const LogListing listing =
      ParseLogNames({"10", "9.compact", "2", "+11", "007", ".9.compact.crc", "..12.abc.tmp.crc",
                     ".12.3f2c.tmp", "12.tmp", "13.compact.bak", "-1", "x.compact", ".compact",
                     "99999999999999999999", "compact", ""});
  EXPECT_THAT(listing.plain, ElementsAre(2, 7, 10, 11));
  EXPECT_THAT(listing.compacts, ElementsAre(9));
}

TEST(LogListing, TheOtherNameIsAsGoodAsAbsent_ButCountsForTheNewest) {
  const LogListing listing = ParseLogNames({"9", "10", "19.compact"});
  EXPECT_FALSE(listing.Has(9, 10));
  EXPECT_TRUE(listing.Has(9, 20));
  EXPECT_TRUE(listing.Has(10, 10));
  EXPECT_FALSE(listing.Has(19, 7));
  EXPECT_EQ(listing.newest(), 19);
  EXPECT_EQ(ParseLogNames({"3"}).newest(), 3);
  EXPECT_EQ(ParseLogNames({".tmp"}).newest(), std::nullopt);
}

}  // namespace
}  // namespace tidegauge
