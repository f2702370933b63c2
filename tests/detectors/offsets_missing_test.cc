#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OffsetsMissing : public DamageStory {
 protected:
  OffsetsMissing() : DamageStory("offsets_missing") {}
};

TEST_F(OffsetsMissing, IsQuietBeforeTheFirstBatchHasEnded) {
  story_.query().WriteInitial({{"t", {{0, 0}}}});
  EXPECT_FALSE(Fires());
  story_.storage.MakeDirectory(Path("offsets"));
  story_.storage.MakeDirectory(Path("commits"));
  // Real-time mode writes offsets/0 when the batch ends; meanwhile state stores are set up.
  Write("state/0/_metadata/metadata", "{}");
  Write("state/0/0/_metadata/schema", "v2");
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetsMissing, CommitsAreThere) {
  Batches(3);
  Remove("offsets");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("offsets is empty, though commits has 3"));
  EXPECT_EQ(The(story_.report, id_).batch, 3);
}

TEST_F(OffsetsMissing, OnlyStateIsThere) {
  // https://github.com/apache/spark/pull/51817
  Write("state/0/0/1.delta", "…");
  story_.storage.MakeDirectory(Path("offsets"));
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("[STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY]"));
}

TEST_F(OffsetsMissing, OnlyOurMemoryKnowsOfThem_OverARestart) {
  Batches(3);
  story_.Poll();
  story_.RestartDaemon();
  Remove("offsets");
  Remove("commits");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("batch 3 had ended"));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires());
}

TEST_F(OffsetsMissing, AtFirstSightWithoutATraceThereIsNothingToSay) {
  EXPECT_THAT(Check(), IsEmpty());
  Batches(3);
  Remove("offsets");
  Remove("commits");
  EXPECT_FALSE(Fires());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kUnknown);
}

TEST_F(OffsetsMissing, UnreadableIsUnknown) {
  Batches(3);
  story_.Poll();
  story_.RestartDaemon();
  story_.storage.OnCall([](const StorageCall& call) -> std::optional<Error> {
    if (call.kind != StorageCall::Kind::kList || !call.path.ends_with("/offsets")) return {};
    return Error{ErrorKind::kUnavailable, call.path + ": input/output error"};
  });
  EXPECT_FALSE(Fires());
  EXPECT_EQ(QueryOf(story_.report).state, QueryState::kUnknown);
}

}  // namespace
}  // namespace tidegauge::testing
