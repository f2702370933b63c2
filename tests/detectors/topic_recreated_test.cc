#include <gmock/gmock.h>

#include "tests/detectors/judge_one.h"

namespace tidegauge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TopicRecreated : public JudgeOne {
 protected:
  TopicRecreated() : JudgeOne("topic_recreated") {}

  void BelongsToEarlier() {
    topic().belongs = Belongs::kEarlier;
    topic().evidence = {"topic_id"};
    topic().batch = 7;
  }
};

TEST_F(TopicRecreated, IsQuietWhileTheOffsetsBelongToTheTopic) {
  Add(0, 500, 0, 300);
  EXPECT_THAT(Check(), IsEmpty()) << "numbers alone say nothing";
}

TEST_F(TopicRecreated, TheDirectionChangesExactlyAtThePosition) {
  BelongsToEarlier();
  Add(0, 500, 0, 499);
  EXPECT_EQ(Found().direction, "below");
  topic().partitions[0].log_end = 500;
  EXPECT_EQ(Found().direction, "equal");
  topic().partitions[0].log_end = 501;
  EXPECT_EQ(Found().direction, "above");
  topic().partitions[0].log_end = 0;
  EXPECT_EQ(Found().direction, "empty");
}

TEST_F(TopicRecreated, OnePartitionBelowDecides_AndOneWithRecordsIsNotEmpty) {
  BelongsToEarlier();
  Add(0, 500, 0, 800);
  Add(1, 500, 0, 0);
  EXPECT_EQ(Found().direction, "below");
}

TEST_F(TopicRecreated, CountsWhatARestartPassesOver) {
  BelongsToEarlier();
  Add(0, 500, 0, 800);
  Add(1, 500, 0, 300);
  Add(2, 500, 200, 800);
  Add(3, 0, 0, 10);
  const Finding found = Found();
  EXPECT_EQ(found.batch, 7);
  EXPECT_EQ(found.partitions[0].records, 500);
  EXPECT_EQ(found.partitions[1].records, 300) << "up to the end";
  EXPECT_EQ(found.partitions[2].records, 300) << "what is below the log start is not there";
  EXPECT_EQ(found.partitions[3].records, 0);
  EXPECT_EQ(found.records, 1100);
}

TEST_F(TopicRecreated, ABatchInFlightEndsWhereItWasPlanned) {
  BelongsToEarlier();
  Add(0, 500, 0, 800).in_flight_end = 300;
  EXPECT_EQ(Found().records, 300) << "failOnDataLoss=false goes on at 300";
  EXPECT_EQ(Found().direction, "below") << "a re-run keeps the end that was written";
}

TEST_F(TopicRecreated, WithoutAnEndNeitherDirectionNorCountIsKnown) {
  BelongsToEarlier();
  Add(0, 500, {}, {});
  EXPECT_EQ(Found().direction, "") << "unknown is not empty";
  EXPECT_EQ(Found().records, std::nullopt);
  EXPECT_THAT(Found().summary, HasSubstr("gave no end"));
  Add(1, 500, 0, 0);
  EXPECT_EQ(Found().direction, "");
  Add(2, 500, 0, 300);
  EXPECT_EQ(Found().direction, "below") << "that much is known";
}

TEST_F(TopicRecreated, PartitionsThatAreNoLongerThereAreNotCounted) {
  BelongsToEarlier();
  Add(0, 500, 0, 800);
  Add(1, 500, {}, {}).listed = false;
  EXPECT_EQ(Found().records, 500);
  EXPECT_EQ(Found().direction, "above");
}

TEST_F(TopicRecreated, StaysWhenKafkaDoesNotAnswer_AndOverARestart) {
  story_.kafka.Set("t", "A", {{0, {0, 500}}});
  story_.query().Batch({{"t", {{0, 500}}}});
  story_.Poll();
  story_.kafka.Set("t", "B", {{0, {0, 800}}});
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.Hide("t");
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.RestartDaemon();
  EXPECT_TRUE(Fires(story_.Poll()));
  story_.kafka.ShowAll();
  EXPECT_TRUE(Fires(story_.Poll()));
  EXPECT_EQ(story_.report.findings_total.at(id_), 1u);
}

}  // namespace
}  // namespace tidegauge::testing
