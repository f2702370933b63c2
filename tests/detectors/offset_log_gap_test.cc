#include <gmock/gmock.h>

#include "tests/detectors/damage_story.h"

namespace tidegauge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OffsetLogGap : public DamageStory {
 protected:
  OffsetLogGap() : DamageStory("offset_log_gap") {}
};

TEST_F(OffsetLogGap, IsQuietWhileNothingIsMissing) {
  EXPECT_THAT(Check(), IsEmpty());
  Batches(5);
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetLogGap, TheBatchBeforeTheNewestIsMissing) {
  Batches(2);
  Remove("offsets/1");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("offsets/1 is missing: a restart fails with \"batch 1 doesn't "
                                   "exist\""));
  EXPECT_EQ(The(story_.report, id_).batch, 1);
  EXPECT_EQ(The(story_.report, id_).key.kafka_cluster, "");
}

TEST_F(OffsetLogGap, TheBatchBeforeTheOneInFlightIsMissing_ThereIsNoPosition) {
  Batches(2, false);
  Remove("offsets/1");
  EXPECT_TRUE(Fires());
  EXPECT_FALSE(QueryOf(story_.report).checkpoint_up);
  EXPECT_THAT(QueryOf(story_.report).topics, IsEmpty());
  EXPECT_THAT(QueryOf(story_.report).unknown, ::testing::SizeIs(1)) << "no lag, and why";
}

TEST_F(OffsetLogGap, AnOlderOneIsMissing_WhichNoRestartNeeds) {
  Batches(5);
  Remove("offsets/2");
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetLogGap, CommitsGoFurtherThanOffsets) {
  Batches(3);
  Remove("offsets/3");
  EXPECT_TRUE(Fires());
  EXPECT_THAT(Summary(), HasSubstr("offsets/3 is missing, though commits has 3"));
  EXPECT_THAT(Summary(), HasSubstr("Multiple streaming jobs detected for 2"));
  EXPECT_THAT(Summary(), HasSubstr("CONCURRENT_STREAM_LOG_UPDATE"));
}

TEST_F(OffsetLogGap, AsynchronousProgressLeavesGaps) {
  // https://github.com/apache/spark/pull/38517
  for (const BatchId batch : {0, 2, 5}) {
    story_.query().SetNext(batch);
    story_.query().Batch(Ends(batch));
  }
  EXPECT_FALSE(Fires());
  story_.query().SetNext(9);
  story_.query().Plan(Ends(9));
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetLogGap, PurgedBatchesAreNoGap) {
  story_.query().SetNext(40);
  story_.query().Batch(Ends(40));
  story_.query().Batch(Ends(41));
  EXPECT_FALSE(Fires());
}

TEST_F(OffsetLogGap, AnEpochIsCommittedWithoutItsOffsets) {
  Damaged({.kind = Damage::Kind::kEpochLost, .file = "offsets/4", .batch = 4});
  EXPECT_THAT(Found().summary, HasSubstr("Batch 4 was committed without end epoch offsets!"));
}

TEST_F(OffsetLogGap, StaysWhileTheDirectoryCannotBeListed_AndEndsWhenTheFileIsBack) {
  Batches(2);
  const std::string text = story_.storage.TextOf(Path("offsets/1"));
  Remove("offsets/1");
  EXPECT_TRUE(Fires());
  story_.unreadable["orders"] = {ErrorKind::kUnavailable, "no answer"};
  EXPECT_TRUE(Fires());
  story_.unreadable.clear();
  story_.RestartDaemon();
  EXPECT_TRUE(Fires());
  Write("offsets/1", text);
  EXPECT_FALSE(Fires());
}

}  // namespace
}  // namespace tidegauge::testing
