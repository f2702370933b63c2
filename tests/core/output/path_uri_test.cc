#include "core/output/path_uri.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(PathUri, EncodesWhatJavaDoesNotAllowInAPath) {
  EXPECT_EQ(EncodePath("/out/day=1/a b%c#d?e[f]\".json"),
            "/out/day=1/a%20b%25c%23d%3Fe%5Bf%5D%22.json");
  EXPECT_EQ(EncodePath("/out/ünï_-!.~'()*,;:$&+=@"), "/out/ünï_-!.~'()*,;:$&+=@");
}

TEST(PathUri, DecodesWhatItEncodes) {
  for (const char* path : {"/a b", "/100%", "/a%20b", "/x#y", "/ü"}) {
    EXPECT_EQ(PathOf("file://" + EncodePath(path)), path);
  }
}

TEST(PathUri, TellsSchemeAndAuthorityFromThePath) {
  EXPECT_EQ(BeforePath("hdfs://nn:8020/out/x"), "hdfs://nn:8020");
  EXPECT_EQ(BeforePath("file:///out/x"), "file://");
  EXPECT_EQ(BeforePath("file:/out/x"), "file:");
  EXPECT_EQ(BeforePath("/out/a:b"), "");
  EXPECT_EQ(PathOf("hdfs://nn:8020/out/x"), "/out/x");
  EXPECT_EQ(PathOf("file:/out/x"), "/out/x");
}

TEST(PathUri, TakesAStrayPercentSignAsItIs) { EXPECT_EQ(PathOf("/50%/5%zz"), "/50%/5%zz"); }

}  // namespace
}  // namespace tidegauge
