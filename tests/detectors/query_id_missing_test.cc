#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class QueryIdMissing : public DamageStory {
 protected:
  QueryIdMissing() : DamageStory("query_id_missing") {}
};

TEST_F(QueryIdMissing, IsQuietWithAnId_AndWithoutBatches) {
  EXPECT_THAT(Check(), IsEmpty()) << "no batch yet";
  Batches(9);
  EXPECT_FALSE(Fires());
}

TEST_F(QueryIdMissing, TheFileIsGone_TheIdIsRemembered) {
  // https://github.com/apache/spark/pull/53844
  Batches(9);
  story_.Poll();
  story_.RestartDaemon();
  Remove("metadata");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("[STREAMING_CHECKPOINT_MISSING_METADATA_FILE]"));
  EXPECT_THAT(Summary(), HasSubstr("{\"id\":\"11111111-0000-0000-0000-000000000000\"}"));
}

TEST_F(QueryIdMissing, AtFirstSightTheIdIsNotKnown) {
  Batches(9);
  Remove("metadata");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), Not(HasSubstr("\"id\"")));
}

TEST_F(QueryIdMissing, TheFileIsTorn) {
  Batches(0, false);
  Write("metadata", "{\"id\":");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("metadata cannot be read"));
}

TEST_F(QueryIdMissing, DeniedIsUnknown) {
  Batches(9);
  story_.storage.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (call.kind != StorageCall::Kind::kRead || !call.path.ends_with("/metadata")) return {};
    return Error{ErrorKind::kDenied, call.path + ": permission denied"};
  });
  EXPECT_FALSE(Fires());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kUnknown);
}

}  // namespace
}  // namespace tidegauge::testing
