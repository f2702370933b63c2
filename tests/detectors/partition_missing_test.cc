#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class PartitionMissing : public JudgeOne {
 protected:
  PartitionMissing() : JudgeOne("partition_missing") {}
};

TEST_F(PartitionMissing, IsQuietWhileAllAreListed_AlsoThoseWithoutAnAnswer) {
  Add(0, 500, 0, 800);
  Add(1, 500, {}, {});
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(PartitionMissing, NamesTheOneThatIsNotListed) {
  Add(0, 500, 0, 800);
  Add(1, 40, {}, {}).listed = false;
  ASSERT_THAT(Found().partitions, SizeIs(1));
  EXPECT_EQ(Found().partitions[0].partition, 1);
  EXPECT_EQ(Found().partitions[0].checkpoint, 40);
}

TEST_F(PartitionMissing, IsNotSaidOfATopicThatIsMissingOrUnknown) {
  Add(0, 500, {}, {}).listed = false;
  for (const auto presence : {TopicPresence::kMissing, TopicPresence::kUnknown}) {
    topic().presence = presence;
    EXPECT_THAT(Check(), IsEmpty());
  }
}

TEST_F(PartitionMissing, FiresAfterAMinute_StaysWhileUnknown_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}, {1, {0, 40}}});
  story_.query().Batch({{"t", {{0, 500}, {1, 40}}}});
  story_.Poll();
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.Poll();
  EXPECT_FALSE(Fires(story_.Poll(59s)));
  EXPECT_TRUE(Fires(story_.Poll(1s)));
  story_.kafka.Hide("t");
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.ShowAll();
  story_.kafka.Set("t", "A", {{0, {0, 500}}, {1, {0, 40}}});
  EXPECT_FALSE(Fires(story_.Poll()));
}

}  // namespace
}  // namespace tidegauge::testing
