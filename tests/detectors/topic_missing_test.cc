#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class TopicMissing : public JudgeOne {
 protected:
  TopicMissing() : JudgeOne("topic_missing") {}
};

TEST_F(TopicMissing, IsQuietWhileTheTopicIsThere) {
  Add(0, 500, 0, 800);
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(TopicMissing, NamesThePartitionsThatTheCheckpointReads) {
  topic().presence = TopicPresence::kMissing;
  topic().belongs = Belongs::kUnknown;
  Add(0, 500, {}, {});
  Add(1, 40, {}, {});
  ASSERT_THAT(Found().partitions, SizeIs(2));
  EXPECT_EQ(Found().partitions[1].checkpoint, 40);
}

TEST_F(TopicMissing, NotBeingAllowedToKnowIsNotDeletion) {
  topic().presence = TopicPresence::kUnknown;
  topic().belongs = Belongs::kUnknown;
  Add(0, 500, {}, {});
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(TopicMissing, FiresAfterAMinute_StaysWhileUnknown_AndResolvesWhenTheTopicIsBack) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.Delete("t");
  story_.Poll();
  EXPECT_FALSE(Fires(story_.Poll(59s)));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll(1s)));
  story_.kafka.Hide("t");
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Down();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Up();
  story_.kafka.ShowAll();
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
