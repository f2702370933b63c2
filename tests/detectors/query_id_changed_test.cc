#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kOther = R"({"id":"22222222-0000-0000-0000-000000000000"})";
constexpr const char* kFirst = R"({"id":"11111111-0000-0000-0000-000000000000"})";

class QueryIdChanged : public DamageStory {
 protected:
  QueryIdChanged() : DamageStory("query_id_changed") { Batches(9); }
};

TEST_F(QueryIdChanged, IsQuietAtFirstSight_AndWithTheSameId) {
  EXPECT_FALSE(Fires());
  Write("metadata", kFirst);
  EXPECT_FALSE(Fires());
}

TEST_F(QueryIdChanged, ANewIdOverTheSameBatches_OverRestarts) {
  story_.Poll();
  story_.RestartDaemon();
  Write("metadata", kOther);
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("22222222-0000-0000-0000-000000000000; it was 11111111-"));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires());
}

TEST_F(QueryIdChanged, TheOldIdIsWrittenBack) {
  story_.Poll();
  Write("metadata", kOther);
  EXPECT_TRUE(Fires());
  Write("metadata", kFirst);
  EXPECT_FALSE(Fires());
}

TEST_F(QueryIdChanged, SomebodyAcknowledgesIt) {
  story_.Poll();
  Write("metadata", kOther);
  EXPECT_TRUE(Fires());
  story_.ledger.acknowledgements.push_back(
      {.key = {.kind = id_, .query = "orders"}, .at = story_.now});
  EXPECT_FALSE(Fires());
  Write("metadata", kFirst);
  EXPECT_TRUE(Fires()) << "the next change is news again";
}

TEST_F(QueryIdChanged, MissingInBetween) {
  story_.Poll();
  Remove("metadata");
  Later();
  Write("metadata", kOther);
  EXPECT_TRUE(Fires());
}

TEST_F(QueryIdChanged, UnreadableIsNoChange) {
  story_.Poll();
  Write("metadata", "{");
  EXPECT_FALSE(Fires());
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(QueryIdChanged, TheQueryHasMovedToAnotherDirectory) {
  story_.Poll();
  story_.ledger.queries.at("orders").checkpoint = "/data/elsewhere";
  Write("metadata", kOther);
  EXPECT_FALSE(Fires()) << "the configuration says so";
}

}  // namespace
}  // namespace tidegauge::testing
